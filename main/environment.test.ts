import { expect, test } from 'vitest'
import { readEnvironment } from './environment.ts'

test('the gateway inherits the environment without the switches that change Node, choose a recovery or name the Python of the app', () => {
  const { forGateway } = readEnvironment({
    HOME: '/home/a',
    NODE_OPTIONS: '--inspect',
    ELECTRON_RUN_AS_NODE: '1',
    DATABASE_RECOVERY: 'fresh',
    PACKAGED_PYTHON: '/elsewhere',
  })
  expect(forGateway).toEqual({ HOME: '/home/a', DESKTOP_CHANNEL: '1' })
})

test('the port is 8642 unless PORT names another one', () => {
  const ports = [undefined, '', 'abc', '70000', '-1', '0', '9000'].map(
    (PORT) => readEnvironment({ PORT }).port,
  )
  expect(ports).toEqual([8642, 8642, 8642, 8642, 8642, 0, 9000])
})
