import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, takePicture, test as base, type DesktopApp } from './desktop-app.ts'
import { scriptAnswers } from './scripted-answers.ts'
import { describeRelease, makeVersion, UpdateServer, writeFeedFile } from './update-server.ts'

interface Fixtures {
  folder: string
  server: UpdateServer
  /** Path of the stand-in for the AppImage the app was started from. */
  program: string
  /** Opens the app on its settings. */
  open: () => Promise<DesktopApp>
}

const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- the test runner demands a destructured first argument
  folder: async ({}, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'chat-gateway-updates-'))
    await use(folder)
    rmSync(folder, { recursive: true, force: true })
  },
  // oxlint-disable-next-line no-empty-pattern -- as above
  server: async ({}, use) => {
    const server = new UpdateServer()
    await server.start()
    await use(server)
    await server.close()
  },
  program: ({ folder }, use) => use(path.join(folder, 'Chat Gateway.AppImage')),
  variables: async ({ program }, use) => {
    writeFileSync(program, '#!/bin/sh\necho old "$@" >> "$0.log"\n')
    chmodSync(program, 0o755)
    await use({ APPIMAGE: program })
  },
  open: ({ folder, server, start }, use) =>
    use(async () => {
      const app = await start([`--update-feed=${writeFeedFile(folder, server.url)}`])
      await app.page.getByRole('button', { name: 'Skip guide' }).click()
      await app.chat.composer.waitFor()
      await app.page.goto(`${app.gateway().url}/settings/desktop`)
      await look(app).waitFor()
      return app
    }),
})

test.skip(process.platform !== 'linux', 'What is put in the place of the app here is an AppImage.')

const look = ({ page }: DesktopApp) => page.getByRole('button', { name: 'Look now' })
const press = ({ page }: DesktopApp, name: string) =>
  page.getByRole('button', { name, exact: true }).click()

/** Returns a program that stands for the AppImage of the new version. */
const newProgram = (lines: string): Buffer =>
  Buffer.from(`#!/bin/sh\necho new "$@" >> "$0.log"\n${lines}`)

test('nothing is asked before somebody wants it; then the version, its notes and the download are shown', async ({
  open,
  server,
}) => {
  server.offer({ version: '99.0.0', file: newProgram('') })
  const app = await open()
  await expect(app.page.getByText('nothing is looked for')).toBeVisible()
  expect(server.requests).toEqual([])
  await look(app).click()
  await expect(app.page.getByText('Version 99.0.0 is available.')).toBeVisible()
  await app.page.getByText('What is new in version 99.0.0').click()
  await expect(app.page.getByText('First line\nSecond line')).toBeVisible()
  expect(server.requests.map((request) => request.path)).toEqual(['/latest-linux.yml'])
  expect(server.requests[0]!.headers).not.toHaveProperty('x-user-staging-id')
  await takePicture(app.page, 'updates-found')
  await expectAccessible(app.page, BOTH_SCHEMES)
  await press(app, 'Download')
  await expect(app.page.getByText('Version 99.0.0 is downloaded and checked.')).toBeVisible()
  await app.page.emulateMedia({ colorScheme: 'dark' })
  await takePicture(app.page, 'updates-ready-dark')
  await app.page.setViewportSize({ width: 390, height: 780 })
  await takePicture(app.page, 'updates-ready-390')
  await expectAccessible(app.page)
})

test('whoever wants to be asked is told of a version without a look', async ({ open, server }) => {
  server.offer({ version: '99.0.0', file: newProgram('') })
  const app = await open()
  await app.page.getByRole('radio', { name: 'Look and ask me' }).click()
  const told = app.page.getByRole('listitem').filter({ hasText: 'Version 99.0.0 is available.' })
  await expect(told).toBeVisible({ timeout: 20_000 })
  expect(server.requests.map((request) => request.path)).toEqual(['/latest-linux.yml'])
})

const unfinished = new Set<ServerResponse>()

/** Sends bytes as long as the client takes them. */
function sendWithoutEnd(response: ServerResponse): void {
  unfinished.add(response)
  const timer = setInterval(() => {
    if (!response.writableNeedDrain) response.write(Buffer.alloc(100_000))
  }, 20)
  response.on('close', () => {
    clearInterval(timer)
    unfinished.delete(response)
  })
}

/** Resolves with the number of bytes that clients take within half a second. */
async function countTaken(): Promise<number> {
  const count = (): number =>
    [...unfinished].reduce((sum, { socket }) => sum + (socket?.bytesWritten ?? 0), 0)
  const before = count()
  await new Promise((resolve) => setTimeout(resolve, 500))
  return count() - before
}

const LIES: readonly {
  name: string
  version?: string
  lie: (server: UpdateServer) => void
  says: string
  downloads?: boolean
}[] = [
  {
    name: 'a page instead of a list',
    lie: (server) => server.onList((_, response) => void response.end('<html>Sign in</html>')),
    says: 'no description of a version',
  },
  {
    name: 'nothing',
    lie: (server) => server.onList((_, response) => void response.writeHead(404).end()),
    says: 'no description of a version',
  },
  {
    name: 'a list without checksums',
    lie: (server) =>
      server.onList(
        (_, response) => void response.end('version: 99.0.0\nfiles:\n  - url: a.AppImage\n'),
      ),
    says: 'no description of a version',
  },
  {
    name: 'an older version',
    version: '0.0.1',
    lie: () => undefined,
    says: 'version 0.0.1, which is older than this one',
  },
  {
    name: 'a server that hangs',
    lie: (server) => server.onList(() => undefined),
    says: 'did not answer in time',
  },
  {
    name: 'a download without an end',
    lie: (server) =>
      server.onFile((_, response) => {
        response.setHeader('Content-Length', 10 ** 12)
        sendWithoutEnd(response)
      }),
    says: 'not the one that was announced',
    downloads: true,
  },
  {
    name: 'a wrong checksum',
    lie: (server) =>
      server.onList((_, response) => {
        const release = { version: '99.0.0', file: newProgram('') }
        response.end(describeRelease(release, Buffer.alloc(64).toString('base64')))
      }),
    says: 'not the one that was announced',
    downloads: true,
  },
  {
    name: 'a download that is cut',
    lie: (server) =>
      server.onFile((_, response) => {
        response.setHeader('Content-Length', 1_000_000)
        response.write(Buffer.alloc(1_000), () => response.destroy())
      }),
    says: 'The download broke off.',
    downloads: true,
  },
]

for (const { name, version = '99.0.0', lie, says, downloads = false } of LIES) {
  test(`an update server that lies is refused in words: ${name}`, async ({
    open,
    server,
    program,
  }) => {
    server.offer({ version, file: newProgram('') })
    lie(server)
    const before = readFileSync(program, 'utf8')
    const app = await open()
    await look(app).click()
    if (downloads) await press(app, 'Download')
    await expect(app.page.getByRole('alert').filter({ hasText: says })).toBeVisible({
      timeout: 30_000,
    })
    await expect(look(app)).toBeEnabled()
    await expect.poll(countTaken).toBe(0)
    await app.electron.close()
    expect(readFileSync(program, 'utf8')).toBe(before)
    expect(existsSync(`${program}.previous`)).toBe(false)
  })
}

test('an update server that points elsewhere is not followed', async ({ open, server }) => {
  const heard: string[] = []
  const stranger = createServer((request, response) => {
    heard.push(request.url ?? '')
    response.end()
  })
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
  const elsewhere = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`
  server.offer({ version: '99.0.0', file: newProgram('') })
  server.onFile(
    (_, response) => void response.writeHead(302, { Location: `${elsewhere}/file` }).end(),
  )
  const app = await open()
  await look(app).click()
  await press(app, 'Download')
  const alert = app.page.getByRole('alert').filter({ hasText: 'pointed to another server' })
  await expect(alert).toBeVisible()
  server.onList(
    (_, response) => void response.writeHead(302, { Location: `${elsewhere}/list` }).end(),
  )
  await look(app).click()
  await expect(alert).toBeVisible()
  expect(heard).toEqual([])
  stranger.close()
})

test('a slow download shows how far it is and can be cancelled', async ({ open, server }) => {
  const file = Buffer.alloc(4_000_000, 1)
  server.offer({ version: '99.0.0', file })
  server.onFile((_, response) => {
    response.setHeader('Content-Length', file.length)
    response.write(file.subarray(0, 2_000_000))
    const timer = setInterval(() => response.write(file.subarray(0, 1_000)), 200)
    response.on('close', () => clearInterval(timer))
  })
  const app = await open()
  await look(app).click()
  await press(app, 'Download')
  await expect(app.page.getByText(/Downloading version 99\.0\.0… 5\d\s?%/)).toBeVisible()
  await expect(app.page.getByRole('progressbar', { name: 'Download of version' })).toBeVisible()
  await takePicture(app.page, 'updates-downloading')
  await press(app, 'Cancel')
  await expect(app.page.getByText('Version 99.0.0 is available.')).toBeVisible()
})

test('restarted, the new version takes the place of the old one with a copy of the database, and the old one is kept', async ({
  open,
  server,
  program,
  folder,
  profile,
}) => {
  test.setTimeout(120_000)
  const newer = makeVersion(folder, '99.0.0')
  const electron = process.env['ELECTRON_BINARY']!
  const file = newProgram(`exec "${electron}" "${newer}" "$@"\n`)
  server.offer({ version: '99.0.0', file })
  const app = await open()
  const before = readFileSync(program, 'utf8')
  const { pid } = app.gateway()
  await look(app).click()
  await press(app, 'Download')
  await app.chat.open()
  await app.chat.send('Tell me everything.')
  await app.chat.answers.last().waitFor()
  await app.page.goto(`${app.gateway().url}/settings/desktop`)
  await press(app, 'Restart now')
  await expect.poll(() => existsSync(`${program}.log`), { timeout: 30_000 }).toBe(true)
  expect(readFileSync(`${program}.log`, 'utf8')).toBe(
    `new -- --profile=${profile} --secrets=file\n`,
  )
  expect(readFileSync(program).equals(file)).toBe(true)
  expect(readFileSync(`${program}.previous`, 'utf8')).toBe(before)
  const copies = readdirSync(path.join(profile, 'data/backups'))
  expect(copies.filter((name) => name.endsWith('-before-update.db'))).toHaveLength(1)
  await expect
    .poll(() => existsSync(path.join(profile, 'data/gateway.json')) && app.gateway().pid !== pid, {
      timeout: 30_000,
    })
    .toBe(true)
  await expect
    .poll(() => existsSync(path.join(profile, 'update.json')), { timeout: 30_000 })
    .toBe(false)
  const { version } = (await (await fetch(`${app.gateway().url}/health`)).json()) as {
    version?: string
  }
  expect(version).not.toBe('')
  for (const id of app
    .processes()
    .toSorted((one, other) => Number(one) - Number(other))
    .slice(0, 1))
    process.kill(Number(id), 'SIGTERM')
  await expect.poll(() => app.processes()).toEqual([])
})

test('a new version whose gateway does not come up offers to go back, and the old one is started in its place', async ({
  open,
  server,
  program,
  folder,
  profile,
}) => {
  test.setTimeout(120_000)
  const newer = makeVersion(folder, '99.0.0')
  const answers = scriptAnswers(folder, 'Go back to version')
  const broken = path.join(folder, 'broken.mjs')
  writeFileSync(broken, 'process.exit(1)\n')
  const electron = process.env['ELECTRON_BINARY']!
  const line = `exec "${electron}" -r "${answers.file}" "${newer}" "$@" "--server-entry=${broken}"\n`
  server.offer({ version: '99.0.0', file: newProgram(line) })
  const app = await open()
  const before = readFileSync(program, 'utf8')
  const chats = path.join(profile, 'data/chat-gateway.db')
  await look(app).click()
  await press(app, 'Download')
  await press(app, 'Restart now')
  await expect.poll(() => answers.questions(), { timeout: 60_000 }).toHaveLength(1)
  const [asked] = answers.questions()
  expect(asked!.message).toContain('99.0.0')
  expect(asked!.buttons[0]).toMatch(/^Go back to version \d/)
  await expect.poll(() => readFileSync(program, 'utf8'), { timeout: 30_000 }).toBe(before)
  await expect
    .poll(() => readFileSync(`${program}.log`, 'utf8'), { timeout: 30_000 })
    .toContain(`old -- --profile=${profile} --secrets=file`)
  await expect.poll(() => app.processes()).toEqual([])
  expect(existsSync(path.join(profile, 'update.json'))).toBe(false)
  expect(existsSync(chats)).toBe(true)
})
