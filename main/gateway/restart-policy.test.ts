import { expect, test } from 'vitest'
import { RestartPolicy } from './restart-policy.ts'

test('delays double from 0.25 s, and the fifth crash within a minute gives up', () => {
  const policy = new RestartPolicy(() => 0)
  expect([policy.next(), policy.next(), policy.next(), policy.next(), policy.next()]).toEqual([
    250,
    500,
    1000,
    2000,
    null,
  ])
})

test('crashes more than a minute apart are forgotten', () => {
  let time = 0
  const policy = new RestartPolicy(() => time)
  for (let crash = 0; crash < 20; crash += 1) {
    expect(policy.next()).toBe(250)
    time += 60_000
  }
})

test('after a reset the count starts again', () => {
  const policy = new RestartPolicy(() => 0)
  for (let crash = 0; crash < 5; crash += 1) policy.next()
  policy.reset()
  expect(policy.next()).toBe(250)
})
