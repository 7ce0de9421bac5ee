const NUMBERS = /\[(\d{1,3}(?:\s?,\s?\d{1,3})*)\]/g

/** True if a text cites one of its sources by number. */
export const citesSource = (text: string, count: number): boolean =>
  [...text.matchAll(NUMBERS)].some(([, numbers]) =>
    numbers!.split(',').some((part) => Number(part) >= 1 && Number(part) <= count),
  )
