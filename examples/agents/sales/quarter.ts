export type Quarter = 1 | 2 | 3 | 4;

export interface Period {
  readonly quarter: Quarter;
  /** Left out: the latest that there is. */
  readonly year?: number | undefined;
}

export const WHICH_QUARTER = 'Which quarter: Q1, Q2, Q3 or Q4?';

const NAMES: Readonly<Record<string, Quarter>> = {
  '1': 1,
  '2': 2,
  '3': 3,
  '4': 4,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  '1st': 1,
  '2nd': 2,
  '3rd': 3,
  '4th': 4,
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  last: 4,
  final: 4,
  latest: 4,
};

const NUMBER = '(?:[1-4]|one|two|three|four)';
const ORDINAL = '(?:1st|2nd|3rd|4th|first|second|third|fourth|last|final|latest)';
const BEFORE = '(?<![\\p{L}\\p{N}])';
const AFTER = '(?![\\p{L}\\p{N}])';

/** Each has the words that name quarters as its only group: one word, or a list such as `first and second`. */
const MENTIONS: readonly RegExp[] = [
  // Q4, q-4, 2025Q4, but not the range Q1-4
  pattern(`(?<!\\p{L})q[\\s.#-]?([1-4])${AFTER}(?!\\s*[-–/]\\s*[1-4]${AFTER})`),
  // 4Q
  pattern(`${BEFORE}([1-4])q${AFTER}`),
  // quarter 4, quarter no. 4, quarter four
  pattern(`${BEFORE}quarter[\\s-]+(?:no\\.?\\s*|number\\s+|#\\s*)?(${NUMBER})${AFTER}`),
  // fourth quarter, last fiscal quarter, first and second quarter
  pattern(
    `${BEFORE}(${ORDINAL}(?:\\s*(?:,|&|and|or|to)\\s*${ORDINAL})*)[\\s-]+(?:(?:fiscal|calendar)\\s+)?quarter${AFTER}`,
  ),
  // the bare answer to a question: 4, the fourth, the last one
  pattern(`^\\s*(?:the\\s+)?(${NUMBER}|${ORDINAL})(?:\\s+one)?\\s*[.!]?\\s*$`),
];

const YEAR = /(?<![\p{L}\p{N}.,])(?:19|20)\d\d(?![-/.,]?\p{N})(?=q|\P{L}|$)/giu;

/** The quarter that a text names; nothing where it names none, or more than one. */
export function findQuarter(source: string): Quarter | undefined {
  const normalized = source.normalize('NFKC').toLowerCase();
  const quarters = new Set<Quarter>();
  for (const mention of MENTIONS) {
    for (const match of normalized.matchAll(mention)) {
      for (const word of match[1]?.match(/[\p{L}\p{N}]+/gu) ?? []) {
        const quarter = NAMES[word];
        if (quarter !== undefined) quarters.add(quarter);
      }
    }
  }
  const [quarter] = quarters;
  return quarters.size === 1 ? quarter : undefined;
}

/** The year that a text names; nothing where it names none, or more than one. A date such as 2025-10-01 is no year. */
export function findYear(source: string): number | undefined {
  const years = new Set(source.normalize('NFKC').match(YEAR));
  const [year] = years;
  return years.size === 1 ? Number(year) : undefined;
}

/** The quarter that a text asks for, with its year if it names one. */
export function findPeriod(source: string): Period | undefined {
  const quarter = findQuarter(source);
  return quarter === undefined ? undefined : { quarter, year: findYear(source) };
}

/** `Q4 2025`, or `Q4` of no particular year. */
export function formatPeriod({ quarter, year }: Period): string {
  return year === undefined ? `Q${quarter}` : `Q${quarter} ${year}`;
}

function pattern(source: string): RegExp {
  return new RegExp(source, 'gu');
}
