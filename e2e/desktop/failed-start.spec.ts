import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, findProcesses, spawnApp, test as base } from './desktop-app.ts'
import { scriptAnswers, type ScriptedAnswers } from './scripted-answers.ts'

interface Fixtures {
  folder: string
  /** Starts an app whose gateway exits at once whenever it is started. */
  startBroken: (answers: ScriptedAnswers, variables?: Record<string, string>) => ChildProcess
}

const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- the test runner demands a destructured first argument
  folder: async ({}, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'chat-gateway-failed-start-'))
    await use(folder)
    rmSync(folder, { recursive: true, force: true })
  },
  startBroken: async ({ folder, profile }, use) => {
    const broken = path.join(folder, 'broken.mjs')
    writeFileSync(broken, 'process.exit(1)\n')
    const started: ChildProcess[] = []
    await use(({ file }, variables = {}) => {
      const app = spawnApp(profile, {
        electronOptions: ['-r', file],
        options: [`--server-entry=${broken}`],
        variables,
      })
      started.push(app)
      return app
    })
    for (const app of started) app.kill('SIGKILL')
  },
})

const ended = async (app: ChildProcess): Promise<unknown> =>
  app.exitCode ?? (await once(app, 'exit'))[0]

test('an app whose gateway does not come up ends when the person wants that', async ({
  folder,
  profile,
  startBroken,
}) => {
  const answers = scriptAnswers(folder, 'Quit')
  expect(await ended(startBroken(answers))).toBe(0)
  expect(answers.questions()).toHaveLength(1)
  await expect.poll(() => findProcesses(profile)).toEqual([])
})

test.describe('a new version that has not come up before', () => {
  test.skip(process.platform !== 'linux', 'What is kept of an older version here is an AppImage.')
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

  /** Writes the note that an update leaves, after one failed start. */
  function noteUpdate(folder: string, profile: string): { program: string; note: string } {
    const program = path.join(folder, 'Chat Gateway.AppImage')
    writeFileSync(program, 'new')
    writeFileSync(`${program}.previous`, '#!/bin/sh\necho old "$@" >> "$0.log"\n')
    chmodSync(`${program}.previous`, 0o755)
    const note = path.join(profile, 'update.json')
    const kept = { previous: `${program}.previous`, backup: '/backup.db' }
    writeFileSync(note, JSON.stringify({ from: '0.0.1', to: version, ...kept, starts: 1 }))
    return { program, note }
  }

  test('is asked about before anything starts, and the old one takes its place', async ({
    folder,
    profile,
    startBroken,
  }) => {
    const { program, note } = noteUpdate(folder, profile)
    const answers = scriptAnswers(folder, 'Go back to version 0.0.1')
    expect(await ended(startBroken(answers, { APPIMAGE: program }))).toBe(0)
    expect(answers.questions()).toHaveLength(1)
    await expect
      .poll(() => existsSync(`${program}.log`) && readFileSync(`${program}.log`, 'utf8'))
      .toBe(`old -- --profile=${profile} --secrets=file\n`)
    expect(existsSync(note)).toBe(false)
    expect(existsSync(path.join(profile, 'data'))).toBe(false)
    await expect.poll(() => findProcesses(profile)).toEqual([])
  })

  test('ends when the person wants that, and is asked about again', async ({
    folder,
    profile,
    startBroken,
  }) => {
    const { program, note } = noteUpdate(folder, profile)
    const answers = scriptAnswers(folder, 'Quit')
    for (const times of [1, 2]) {
      expect(await ended(startBroken(answers, { APPIMAGE: program }))).toBe(0)
      expect(answers.questions()).toHaveLength(times)
    }
    expect(readFileSync(program, 'utf8')).toBe('new')
    expect(existsSync(note)).toBe(true)
    await expect.poll(() => findProcesses(profile)).toEqual([])
  })
})
