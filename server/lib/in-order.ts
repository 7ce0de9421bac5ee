import { turnWhenLong } from './turns.ts'

/**
 * `map` with something that answers promises, one value after the other. Where all of it takes
 * long, others are served in between.
 */
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

/** `flatMap` with something that answers promises, one value after the other. */
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

/** `filter` with something that answers promises, one value after the other. */
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

/** `find` with something that answers promises; it asks no further than it has to. */
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

/** `some` with something that answers promises; it asks no further than it has to. */
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

/** `every` with something that answers promises; it asks no further than it has to. */
export async function everyInOrder<Value>(
  values: Iterable<Value>,
  question: Question<Value>,
): Promise<boolean> {
  return !(await someInOrder(values, async (value, index) => !(await question(value, index))))
}

/** `forEach` with something that answers promises, one value after the other. */
export async function forEachInOrder<Value>(
  values: Iterable<Value>,
  work: (value: Value, index: number) => unknown,
): Promise<void> {
  await mapInOrder(values, work)
}
