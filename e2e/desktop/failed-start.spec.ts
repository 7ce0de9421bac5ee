import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, findProcesses, spawnApp, test as base } from './desktop-app.ts'
import { scriptAnswers, type ScriptedAnswers } from './scripted-answers.ts'

interface Fixtures {
  folder: string
  /** Starts the app with scripted answers to its questions. */
  startAnswered: (
    answers: ScriptedAnswers,
    parts?: { options?: readonly string[]; variables?: Record<string, string> },
  ) => ChildProcess
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
  startAnswered: async ({ profile }, use) => {
    const started: ChildProcess[] = []
    await use(({ file }, { options = [], variables = {} } = {}) => {
      const app = spawnApp(profile, { electronOptions: ['-r', file], options, variables })
      started.push(app)
      return app
    })
    for (const app of started) app.kill('SIGKILL')
  },
  startBroken: async ({ folder, startAnswered }, use) => {
    const broken = path.join(folder, 'broken.mjs')
    writeFileSync(broken, 'process.exit(1)\n')
    await use((answers, variables = {}) =>
      startAnswered(answers, { options: [`--server-entry=${broken}`], variables }),
    )
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
  const [question, ...others] = answers.questions()
  expect(others).toEqual([])
  expect(question!.detail).toContain(`the log in ${path.join(profile, 'logs')} says why`)
  await expect.poll(() => findProcesses(profile)).toEqual([])
})

/** Makes a folder read-only, and shows the app what it gets then. */
const closed = (folder: string): (() => void) => {
  chmodSync(folder, 0o500)
  return () => chmodSync(folder, 0o700)
}

test('a folder that cannot be written to, is none or is on a removed disk is named instead of ending without a word', async ({
  folder,
  profile,
  startAnswered,
}) => {
  const answers = scriptAnswers(folder, 'Quit')
  const reopen = closed(profile)
  expect(await ended(startAnswered(answers))).toBe(1)
  reopen()
  const file = path.join(profile, 'note.txt')
  writeFileSync(file, 'mine')
  expect(await ended(startAnswered(answers, { options: [`--profile=${file}`] }))).toBe(1)
  const disk = path.join(folder, 'disk')
  expect(await ended(startAnswered(answers, { options: [`--data-dir=${disk}/data`] }))).toBe(1)
  expect(existsSync(disk)).toBe(false)
  const details = answers.questions().map(({ detail }) => detail)
  expect(details).toEqual([
    `The folder ${profile} cannot be written to. Check its permissions, then start Chat Gateway again.`,
    `${file} is not a folder. Move that file away, then start Chat Gateway again.`,
    expect.stringContaining(`The folder ${disk} is not there.`),
  ])
  expect(readFileSync(file, 'utf8')).toBe('mine')
})

test('a data folder that cannot be written to is named, and used as soon as it can', async ({
  folder,
  profile,
  startAnswered,
}) => {
  const data = path.join(profile, 'data')
  const logs = path.join(profile, 'logs')
  mkdirSync(data)
  mkdirSync(logs)
  // No disk can take the log meanwhile.
  if (existsSync('/dev/full')) symlinkSync('/dev/full', path.join(logs, 'chat-gateway.log'))
  const reopen = closed(data)
  const answers = scriptAnswers(folder, 'Retry')
  const app = startAnswered(answers)
  await expect.poll(() => answers.questions().length, { timeout: 30_000 }).toBeGreaterThan(0)
  expect(answers.questions()[0]!.detail).toContain(data)
  reopen()
  await expect
    .poll(() => existsSync(path.join(data, 'gateway.json')), { timeout: 30_000 })
    .toBe(true)
  app.kill('SIGTERM')
  expect(await ended(app)).toBe(0)
})

test('a data folder that another app uses is left to it', async ({
  app,
  folder,
  startAnswered,
}) => {
  const answers = scriptAnswers(folder, 'Quit')
  const options = [`--profile=${path.join(folder, 'other')}`]
  const data = path.join(app.profile, 'data')
  expect(await ended(startAnswered(answers, { options: [...options, `--data-dir=${data}`] }))).toBe(
    0,
  )
  expect(answers.questions()).toEqual([
    expect.objectContaining({ message: 'Another Chat Gateway is using your data.' }),
  ])
  await app.chat.ask('Still there?')
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
