import type { Notice } from '../../engine/ports.ts';
import type { TestRunner } from '../store-contract/runner.ts';
import { type BusTestBed, FIRST, SECOND, silence } from './bus-test-bed.ts';

export function describeNotices({ describe, it, expect }: TestRunner, bed: () => BusTestBed): void {
  describe('notices', () => {
    it('reach a watch of another node from the moment at which it is there', async () => {
      await bed().watch('task');
      bed().publish('task', 1);
      await bed().hears('task', 1);
      bed().publish('task', 2);
      await bed().hears('task', 2);
    });

    it('reach it when they come in a row, at least the last one of each task', async () => {
      const tasks = ['one', 'two', 'three'];
      for (const taskId of tasks) await bed().watch(taskId);
      for (let seq = 1; seq <= 200; seq += 1) {
        bed().first.publish(
          FIRST,
          tasks.map((taskId) => ({ taskId, seq })),
        );
      }
      for (const taskId of tasks) await bed().hears(taskId, 200);
    });

    it('reach only watches of their task', async () => {
      await bed().watch('task');
      await bed().watch('other');
      bed().publish('task', 7);
      await bed().hears('task', 7);
      await silence();
      expect(bed().latest('other')).toBe(0);
    });

    it('keep names of tasks apart, whatever is in them', async () => {
      const names = ['a.b', 'a', 'a.*', 'a.>', 'A', 'a b', "a'b", 'é😀', 'x'.repeat(200)];
      for (const name of names) await bed().watch(name);
      for (const [index, name] of names.entries()) bed().publish(name, index + 1);
      for (const [index, name] of names.entries()) {
        await bed().hears(name, index + 1);
        expect(bed().latest(name)).toBe(index + 1);
      }
    });

    it('do not come back to the node that publishes them', async () => {
      const own: Notice[] = [];
      await bed().first.watch(FIRST, 'task', (seq) => {
        if (seq !== undefined) own.push({ taskId: 'task', seq });
      });
      await bed().watch('task');
      bed().publish('task', 1);
      await bed().hears('task', 1);
      await silence();
      expect(own).toEqual([]);
    });

    it('reach every watch of a node, until each ends', async () => {
      const heard = [0, 0];
      const listen = (place: number) => (seq: number | undefined) => {
        heard[place] = Math.max(heard[place] ?? 0, seq ?? 0);
      };
      const end = await bed().second.watch(SECOND, 'task', listen(0));
      await bed().second.watch(SECOND, 'task', listen(1));
      bed().publish('task', 1);
      await bed().until(() => heard.every((seq) => seq === 1), 'Two watches of one task have not both heard');
      end();
      end();
      bed().publish('task', 2);
      await bed().until(() => heard[1] === 2, 'A watch beside one that has ended has not heard');
      await silence();
      expect(heard).toEqual([1, 2]);
    });

    it('end when the node leaves, and come again when it is back', async () => {
      await bed().watch('task');
      await bed().second.leave(SECOND);
      bed().publish('task', 1);
      await silence();
      expect(bed().latest('task')).toBe(0);
      await bed().second.join(SECOND, async () => 'back');
      await bed().watch('task');
      bed().publish('task', 2);
      await bed().hears('task', 2);
    });

    it('may be published when no other node is there, or after the own one has left', async () => {
      await bed().second.leave(SECOND);
      bed().publish('task', 1);
      await bed().first.leave(FIRST);
      bed().publish('task', 2);
      bed().first.publish(FIRST, []);
      await silence();
      expect(bed().latest('task')).toBe(0);
    });
  });
}
