// Stands for curl where it is missing, with the options of the guide: -s, -i, -d and --retry-connrefused.
import { setTimeout as delay } from 'node:timers/promises';

const WITH_VALUE = ['-d', '--retry', '--retry-delay'];
const words = process.argv.slice(2);
const isValue = (index: number) => WITH_VALUE.includes(words[index - 1] ?? '');
const [address = ''] = words.filter((word, index) => !word.startsWith('-') && !isValue(index));
const form = words.filter((_, index) => words[index - 1] === '-d').join('&');
const url = address.includes('://') ? address : `http://${address}`;
const type = 'application/x-www-form-urlencoded';
const post = { method: 'POST', body: form, headers: { 'content-type': type } };

const response = await ask();
if (words.includes('-si')) {
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}\n`).join('');
  process.stdout.write(`HTTP/1.1 ${response.status} ${response.statusText}\n${lines}\n`);
}
process.stdout.write(await response.text());

async function ask(): Promise<Response> {
  try {
    return await fetch(url, form === '' ? {} : post);
  } catch (error) {
    if (!words.includes('--retry-connrefused')) throw error;
    await delay(100);
    return ask();
  }
}
