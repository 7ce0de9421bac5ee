import { expect, test } from 'vitest'
import { readEnvironment, withholdGraphicsDriver } from './environment.ts'

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

test('programs that run unpacked elsewhere are known by the file the user started', () => {
  const { appImage, portableProgram } = readEnvironment({
    APPIMAGE: '/apps/chat.AppImage',
    PORTABLE_EXECUTABLE_FILE: String.raw`E:\chat.exe`,
  })
  expect([appImage, portableProgram]).toEqual(['/apps/chat.AppImage', String.raw`E:\chat.exe`])
  expect(readEnvironment({}).portableProgram).toBeNull()
})

test('the port is 8642 unless PORT names another one', () => {
  const ports = [undefined, '', 'abc', '70000', '-1', '0', '9000'].map(
    (PORT) => readEnvironment({ PORT }).port,
  )
  expect(ports).toEqual([8642, 8642, 8642, 8642, 8642, 0, 9000])
})

test('the driver of the graphics card is withheld until it is given back, and as the user chose', () => {
  const none: NodeJS.ProcessEnv = {}
  const giveBack = withholdGraphicsDriver(none)
  expect(none).toEqual({ GDK_GL: 'disable' })
  giveBack()
  expect(none).toEqual({})
  const chosen: NodeJS.ProcessEnv = { GDK_GL: 'always' }
  withholdGraphicsDriver(chosen)()
  expect(chosen).toEqual({ GDK_GL: 'always' })
})
