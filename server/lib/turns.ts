/** How long one piece of work may hold up everybody else. */
export const SLICE_MILLISECONDS = 5

const waiting: (() => void)[] = []

function admitNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(admitNext)
}

/**
 * Waits for a turn of the event loop of one's own: however much long work is under way, each turn
 * carries one slice of it.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(admitNext)
  })
}

/** Whether a piece of work has begun in this turn already. */
let isBegun = false

/**
 * A turn for the first slice of a piece of work: this one, unless another has begun in it.
 * Undefined for this one. Calls that come together would else each begin at once.
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
 * For loops of many short steps, between two of them: a turn of one's own once this one has become
 * long, undefined before. A turn counts from the first step in it.
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

/** Work in short steps, with a result; that of a database waits within them. */
export type Steps<Result> = Generator<unknown, Result> | AsyncGenerator<unknown, Result>

/** Does work of many short steps a slice at a time, others being served in between. */
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

/** Values handled between two pauses; each should take some microseconds. */
const VALUES_IN_A_STEP = 50

/** For values that may each take long. */
export const ONE_IN_A_STEP = { valuesInAStep: 1 }

/** Does something with each value, in short steps. */
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

/** Does the same work without a pause. */
export function runAtOnce<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** The same for work that waits. */
export async function finishSteps<Result>(steps: AsyncGenerator<unknown, Result>): Promise<Result> {
  for (;;) {
    const step = await steps.next()
    if (step.done) return step.value
  }
}

/** `eachInSteps` with something that waits. */
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
