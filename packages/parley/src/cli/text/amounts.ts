/** `428 B`, `3.1 kB`, `12 MB` */
export function size(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  let amount = bytes;
  let unit = 0;
  while (amount >= 1000 && unit < units.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  return `${unit === 0 || amount >= 10 ? Math.round(amount) : amount.toFixed(1)} ${units[unit]}`;
}

/** `4s`, `3m 20s`, `2h 5m` */
export function duration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}m ${seconds % 60}s` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

/** `now`, `4m ago`, `3h ago`, or the day. */
export function age(timestamp: string, now: number): string {
  const time = Date.parse(timestamp);
  const seconds = Math.floor((now - time) / 1000);
  if (!Number.isFinite(seconds)) return '';
  if (seconds < 5) return 'now';
  if (seconds < 60) return `${seconds}s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h ago`;
  return new Date(time).toISOString().slice(0, 10);
}

export function counted(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
