import { callerTool, type JsonValue, type StandardSchema, type TaskContext } from 'parley-a2a';
import { describe, expectTypeOf, it } from 'vitest';

declare const task: TaskContext;
declare const order: StandardSchema<{ item: string; count?: number }, { item: string; count: number }>;

/** Only for the compiler. */
function compiles(use: () => unknown): void {
  void use;
}

describe('the type of an answer', () => {
  it('is a text where nothing else is said', () => {
    compiles(() => expectTypeOf(task.ask('Who?')).resolves.toEqualTypeOf<string>());
    compiles(() => expectTypeOf(task.ask({ prompt: 'Who?' })).resolves.toEqualTypeOf<string>());
  });

  it('is what the schema gives', () => {
    compiles(() =>
      expectTypeOf(task.ask({ prompt: 'What?', schema: order })).resolves.toEqualTypeOf<{
        item: string;
        count: number;
      }>(),
    );
    compiles(() =>
      expectTypeOf(task.ask({ prompt: 'What?', schema: { schema: order, jsonSchema: {} } })).resolves.toEqualTypeOf<{
        item: string;
        count: number;
      }>(),
    );
  });

  it('is one of the choices', () => {
    compiles(() =>
      expectTypeOf(task.ask({ prompt: 'Sure?', choices: ['yes', 'no'] })).resolves.toEqualTypeOf<'yes' | 'no'>(),
    );
    compiles(() =>
      expectTypeOf(
        task.ask({ prompt: 'Size?', choices: ['s', { value: 'l', label: 'Large' }] }),
      ).resolves.toEqualTypeOf<'s' | 'l'>(),
    );
  });

  it('may be what the run goes on with', () => {
    compiles(() =>
      expectTypeOf(task.ask({ prompt: 'Who?', timeout: 1, onTimeout: null })).resolves.toEqualTypeOf<string | null>(),
    );
    compiles(() =>
      expectTypeOf(
        task.ask({ prompt: 'Sure?', choices: ['yes', 'no'], timeout: 1, onTimeout: () => 'late' as const }),
      ).resolves.toEqualTypeOf<'yes' | 'no' | 'late'>(),
    );
  });

  it('refuses what makes no question', () => {
    // @ts-expect-error: a question has a prompt
    compiles(() => task.ask({ choices: ['yes'] }));
    // @ts-expect-error: a schema is one of a library
    compiles(() => task.ask({ prompt: 'What?', schema: { type: 'object' } }));
  });
});

describe('the types of a tool', () => {
  it('are JSON, or what a schema gives', () => {
    compiles(() => expectTypeOf(task.tool('time')).resolves.toEqualTypeOf<JsonValue>());
    compiles(() => expectTypeOf(task.tool<string>('time', {})).resolves.toEqualTypeOf<string>());
    compiles(() =>
      expectTypeOf(task.tool('time', {}, { schema: order })).resolves.toEqualTypeOf<{ item: string; count: number }>(),
    );
  });

  it('are those of the schema of its parameters', () => {
    compiles(() =>
      callerTool({
        description: 'Orders',
        parameters: order,
        execute(args) {
          expectTypeOf(args).toEqualTypeOf<{ item: string; count: number }>();
        },
      }),
    );
  });
});
