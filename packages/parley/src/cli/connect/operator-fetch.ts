/** Sends what is meant for an agent's address to the operators' part of it. `address` is undefined until it is known. */
export function operatorFetch(send: typeof fetch, address: () => string | undefined): typeof fetch {
  return (input, init) => {
    const base = address()?.replace(/(?<!\/)\/+$/, '');
    const url = input instanceof Request ? input.url : String(input);
    const rest = base !== undefined && url.startsWith(base) ? url.slice(base.length) : undefined;
    if (rest === undefined || !/^(?:$|[/?])/.test(rest)) return send(input, init);
    const wide = `${base}/operator${rest}`;
    return input instanceof Request ? send(new Request(wide, input), init) : send(wide, init);
  };
}
