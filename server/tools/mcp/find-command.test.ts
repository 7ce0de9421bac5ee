import path from 'node:path'
import { expect, test } from 'vitest'
import { findCommand } from './find-command.ts'
import { readLoginPath } from '../../lib/login-path.ts'

test('a command is found in the folders of the search path', async () => {
  const folder = path.dirname(process.execPath)
  expect(await findCommand('node', `/nowhere${path.delimiter}${folder}`)).toBe(
    path.join(folder, 'node'),
  )
})

test('a missing command is reported with the folders that were searched', async () => {
  await expect(findCommand('no-such-program', '/usr/bin:relative:/bin')).rejects.toThrow(
    /Searched: \/usr\/bin, \/bin\./,
  )
})

test.each([['./tool'], ['../tool'], ['/nowhere/tool'], ['a\\b']])(
  '%s is refused',
  async (command) => {
    await expect(findCommand(command, '/usr/bin')).rejects.toMatchObject({ status: 400 })
  },
)

test.skipIf(process.platform === 'win32')(
  'the search path of the login shell comes first, a silent shell does no harm',
  async () => {
    expect(await readLoginPath({ SHELL: '/bin/sh', PATH: '/opt/mine' })).toContain('/opt/mine')
    expect(await readLoginPath({ SHELL: '/nowhere/sh', PATH: '/opt/mine' })).toMatch(
      /^\/opt\/mine:/,
    )
  },
)
