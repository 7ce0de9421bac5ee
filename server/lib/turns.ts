/** Maximum time one piece of work may block the event loop. */
export const SLICE_MILLISECONDS = 5

const waiting: (() => void)[] = []

function admitNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(admitNext)
}

/**
 * Waits for a separate turn of the event loop: however much long work is in progress, each turn
 * runs one slice of it.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(admitNext)
  })
}

/** True if a piece of work has already started in this turn. */
let isBegun = false

/**
 * Returns undefined if the first slice of a piece of work may run in this turn; otherwise a promise
 * for another turn, because another one has started in it. Simultaneous calls would otherwise all
 * start at once.
 */
export function firstTurn(): Promise<void> | undefined {
  if (isBegun || waiting.length > 0) return nextTurn()
  isBegun = true
  setImmediate(() => (isBegun = false))
  return undefined
}

let turnBegan = 0
let isTimed = false

/**
 * Returns a promise for a separate turn once the current one has become long, undefined before.
 * Called between two steps of loops with many short steps; a turn is measured from its first step.
 */
export function turnWhenLong(): Promise<void> | undefined {
  const now = performance.now()
  if (!isTimed) {
    isTimed = true
    turnBegan = now
    setImmediate(() => (isTimed = false))
  }
  return now - turnBegan > SLICE_MILLISECONDS ? nextTurn() : undefined
}

/** Work in short steps, with a result; work on a database waits within them. */
export type Steps<Result> = Generator<unknown, Result> | AsyncGenerator<unknown, Result>

/** Runs work of many short steps slice by slice, yielding to other work in between. */
export async function runInTurns<Result>(steps: Steps<Result>): Promise<Result> {
  const first = firstTurn()
  if (first) await first
  for (;;) {
    const end = performance.now() + SLICE_MILLISECONDS
    while (performance.now() < end) {
      const next = steps.next()
      const step = next instanceof Promise ? await next : next
      if (step.done) return step.value
    }
    await nextTurn()
  }
}

/** Number of values handled between two pauses; each should take some microseconds. */
const VALUES_IN_A_STEP = 50

/** For values that may each take long. */
export const ONE_IN_A_STEP = { valuesInAStep: 1 }

/** Calls a function with each value, in short steps. */
export function* eachInSteps<Value>(
  values: Iterable<Value>,
  work: (value: Value) => void,
  { valuesInAStep = VALUES_IN_A_STEP }: { valuesInAStep?: number } = {},
): Generator<void, void> {
  let count = 0
  for (const value of values) {
    work(value)
    if ((count += 1) % valuesInAStep === 0) yield
  }
}

/** Runs the steps of work without pauses. */
export function runAtOnce<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Runs the steps of asynchronous work to its end. */
export async function finishSteps<Result>(steps: AsyncGenerator<unknown, Result>): Promise<Result> {
  for (;;) {
    const step = await steps.next()
    if (step.done) return step.value
  }
}

/** Asynchronous `eachInSteps`. */
export async function* eachAwaitedInSteps<Value>(
  values: Iterable<Value>,
  work: (value: Value) => Promise<unknown>,
  { valuesInAStep = VALUES_IN_A_STEP }: { valuesInAStep?: number } = {},
): AsyncGenerator<void, void> {
  let count = 0
  for (const value of values) {
    await work(value)
    if ((count += 1) % valuesInAStep === 0) yield
  }
}
