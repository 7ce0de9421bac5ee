import { turnWhenLong } from './turns.ts'

/** Asynchronous `map`, one value after the other. Yields to other work during long runs. */
export async function mapInOrder<Value, Result>(
  values: Iterable<Value>,
  work: (value: Value, index: number) => Result | Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const value of values) {
    const turn = turnWhenLong()
    if (turn) await turn
    results.push(await work(value, results.length))
  }
  return results
}

/** Asynchronous `flatMap`, one value after the other. */
export async function flatMapInOrder<Value, Result>(
  values: Iterable<Value>,
  work: (
    value: Value,
    index: number,
  ) => Result | readonly Result[] | Promise<Result | readonly Result[]>,
): Promise<Result[]> {
  return (await mapInOrder(values, work)).flat() as Result[]
}

type Question<Value> = (value: Value, index: number) => unknown

/** Asynchronous `filter`, one value after the other. */
export async function filterInOrder<Value>(
  values: Iterable<Value>,
  question: Question<Value>,
): Promise<Value[]> {
  const kept: Value[] = []
  await mapInOrder(values, async (value, index) => {
    if (await question(value, index)) kept.push(value)
  })
  return kept
}

/** Asynchronous `find`; stops at the first match. */
export async function findInOrder<Value>(
  values: Iterable<Value>,
  question: Question<Value>,
): Promise<Value | undefined> {
  let index = 0
  for (const value of values) {
    const turn = turnWhenLong()
    if (turn) await turn
    if (await question(value, index++)) return value
  }
  return undefined
}

/** Asynchronous `some`; stops at the first match. */
export async function someInOrder<Value>(
  values: Iterable<Value>,
  question: Question<Value>,
): Promise<boolean> {
  let isFound = false
  await findInOrder(values, async (value, index) => {
    if (await question(value, index)) isFound = true
    return isFound
  })
  return isFound
}

/** Asynchronous `every`; stops at the first mismatch. */
export async function everyInOrder<Value>(
  values: Iterable<Value>,
  question: Question<Value>,
): Promise<boolean> {
  return !(await someInOrder(values, async (value, index) => !(await question(value, index))))
}
