import type { BindingCaller } from '../../caller.ts';

/** A caller that is loaded with its first call. */
export function loadedCaller(load: () => Promise<BindingCaller>): BindingCaller {
  let loading: Promise<BindingCaller> | undefined;
  const loaded = () => {
    loading ??= load();
    return loading;
  };
  return {
    unary: async (operation, input, call) => (await loaded()).unary(operation, input, call),
    stream: async (operation, input, call) => (await loaded()).stream(operation, input, call),
  };
}
