import { isAbsolute, relative, resolve } from 'node:path';
import { withoutPasswords } from '../../../config/hidden.ts';
import type { A2AServerOptions } from '../../../server/options.ts';
import { type ServeSettings, settingOf, storePlaceOf } from './serve-settings.ts';

type Store = NonNullable<A2AServerOptions['store']>;
type Bus = NonNullable<A2AServerOptions['bus']>;

/** The store of the settings; undefined for that of the server itself, in memory. */
export async function storeOf(settings: ServeSettings, cwd: string): Promise<Store | undefined> {
  const place = storePlaceOf(settings);
  switch (place?.kind) {
    case 'memory':
      return undefined;
    case 'sqlite': {
      const { sqlite } = await import('../../../sqlite.ts');
      return sqlite(isAbsolute(place.file) ? place.file : relative(process.cwd(), resolve(cwd, place.file)));
    }
    case 'postgres': {
      const { postgres } = await import('../../../postgres.ts');
      return postgres(place.url);
    }
    case undefined:
      return settingOf<Store>(settings, 'store');
  }
}

/** The bus of the settings; undefined for that of the store. */
export async function busOf(settings: ServeSettings): Promise<Bus | undefined> {
  const bus = settingOf<string | Bus>(settings, 'bus');
  if (typeof bus !== 'string') return bus;
  const { nats } = await import('../../../nats.ts');
  return nats(bus);
}

/** The place of the tasks as operators may see it; undefined where they are in memory. */
export function shownStoreOf(settings: ServeSettings): string | undefined {
  const place = storePlaceOf(settings);
  if (place?.kind === 'postgres') return withoutPasswords(place.url);
  return place?.kind === 'sqlite' && place.file !== ':memory:' ? place.file : undefined;
}

export function shownBusOf(settings: ServeSettings): string | undefined {
  const bus = settingOf<unknown>(settings, 'bus');
  return typeof bus === 'string' ? withoutPasswords(bus) : undefined;
}
