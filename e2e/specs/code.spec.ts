import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { strToU8, zipSync } from 'fflate'
import { expect, test, type TestGateway } from '../fixtures.ts'
import { expectAccessible } from '../find-faults.ts'
import { openAdminChat } from '../open-chat.ts'
import type { ChatPage } from '../pages/chat-page.ts'

test.setTimeout(240_000)

/** The first run downloads and starts Python. */
const COLD = { timeout: 120_000 }
const FENCE = '```'

const inFence = (code: string): string => `${FENCE}python\n${code}\n${FENCE}`

/** Makes the model answer with code blocks, and returns the blocks. */
async function showBlocks(chat: ChatPage, ...codes: string[]): Promise<Locator> {
  const answer = await chat.ask(`/crumbs Some code:\n\n${codes.map(inFence).join('\n\nand\n\n')}`)
  const blocks = answer.getByRole('figure', { name: 'Code, python' })
  await expect(blocks).toHaveCount(codes.length)
  return blocks
}

const runButton = (block: Locator): Locator =>
  block.getByRole('button', { name: 'Run', exact: true })
const stopButton = (block: Locator): Locator =>
  block.getByRole('button', { name: 'Stop', exact: true })
const againButton = (block: Locator): Locator => block.getByRole('button', { name: 'Run again' })
const part = (block: Locator, name: string): Locator => block.getByLabel(name, { exact: true })

/** Expects a text in the live region for screen readers. */
const isSaid = (page: Page, text: string | RegExp): Promise<void> =>
  expect(page.locator('[data-live-region]')).toContainText(text)

const PRINTS =
  'import sys\nfor n in range(3):\n    print("row", n)\nprint("careful", file=sys.stderr)\ntotal = 40\ntotal + 2'
const WRITES = 'open("numbers.csv", "w").write("a,b\\n1,2\\n")\ntotal'
const FAULT = 'def share(total, people):\n    return total / people\n\nshare(10, 0)'
const ENDLESS = 'print("begun")\nwhile True:\n    pass'

test('code of an answer runs where it stands: output, error with its line, files, stop, edit and run again', async ({
  chat,
}) => {
  const { page } = chat
  await chat.open()
  const blocks = await showBlocks(chat, PRINTS, WRITES, FAULT, ENDLESS)
  const [prints, writes, fault, endless] = [0, 1, 2, 3].map((index) => blocks.nth(index)) as [
    Locator,
    Locator,
    Locator,
    Locator,
  ]
  await test.step('the runtime is fetched with the first run, and that is said', async () => {
    expect(page.frames()).toHaveLength(1)
    await runButton(prints).focus()
    await page.keyboard.press('Enter')
    await expect(prints.getByText(/Downloading Python…|Starting Python…/)).toBeVisible()
    await expect(part(prints, 'Result')).toHaveText('42', COLD)
    await expect(part(prints, 'Output')).toHaveText('row 0 row 1 row 2')
    await expect(part(prints, 'Warnings and errors')).toHaveText('careful')
    await isSaid(page, 'The code has finished')
    await expect(againButton(prints)).toBeFocused()
  })
  await test.step('the next cell knows the variables, and its file can be saved and kept', async () => {
    await runButton(writes).click()
    await expect(part(writes, 'Result')).toHaveText('40')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      writes.getByRole('button', { name: 'Download numbers.csv' }).click(),
    ])
    expect(await readFile(await download.path(), 'utf8')).toBe('a,b\n1,2\n')
    await writes.getByRole('button', { name: 'Save numbers.csv to your files' }).click()
    await expect(writes.getByText('In your files')).toBeVisible()
    const kept = (await (await page.request.get(`${chat.url}/api/v1/files/`)).json()) as {
      items: { filename: string }[]
    }
    expect(kept.items.map(({ filename }) => filename)).toContain('numbers.csv')
  })
  await test.step('an error marks the line it came from', async () => {
    await runButton(fault).click()
    await expect(fault).toContainText('ZeroDivisionError: division by zero')
    await expect(fault.locator('[aria-current]')).toContainText('return total / people')
    await isSaid(page, 'The code ended with an error on line 2: ZeroDivisionError')
  })
  await test.step('changed code runs with a key, and the original comes back', async () => {
    await fault.getByRole('button', { name: 'Edit code' }).click()
    const editor = fault.getByRole('textbox', { name: 'Code to run' })
    await expect(editor).toBeFocused()
    await editor.fill('total * 2')
    await editor.press('Control+Enter')
    await expect(part(fault, 'Result')).toHaveText('80')
    await fault.getByRole('button', { name: 'Restore original' }).click()
    await expect(editor).toHaveValue(FAULT)
    await fault.getByRole('button', { name: 'Close editor' }).click()
  })
  await test.step('a cell without end is stopped within a second, with what it had said; its variables are gone', async () => {
    await runButton(endless).click()
    await expect(part(endless, 'Output')).toHaveText('begun')
    await stopButton(endless).click()
    await expect(endless.getByText('The code was stopped. Its variables are lost.')).toBeVisible({
      timeout: 1000,
    })
    await expect(part(endless, 'Output')).toHaveText('begun')
    await againButton(writes).click()
    await expect(writes).toContainText("NameError: name 'total' is not defined", COLD)
  })
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 844 })
  // Depending on the scroll position of the narrow page, the bar of a block may cover what is below
  // it.
  await writes.evaluate((block) => block.scrollIntoView({ block: 'start' }))
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

const REACHES = [
  'import js',
  'import pyodide_js',
  'from pyodide.code import run_js\nrun_js("1")',
  'import urllib.request\nurllib.request.urlopen(ADDRESS, timeout=5)',
  'from pyodide.http import pyfetch\nawait pyfetch(ADDRESS)',
  'from pyodide.http import pyxhr\npyxhr.get(ADDRESS)',
  'import os\nos.fork()',
  'import subprocess\nsubprocess.run(["ls"])',
  'from pyodide.ffi import to_js\nto_js([1]).constructor.constructor("return globalThis")()',
  'bytearray(3 * 1024 ** 3)',
]

test('hostile code reaches nothing: no network, no page, no cookies, no process, no more memory than it may', async ({
  chat,
  troubles,
}) => {
  const { page } = chat
  await chat.open()
  const code = [
    `ADDRESS = "${chat.url}/health"`,
    'got = []',
    ...REACHES.map(
      (reach) =>
        `try:\n${reach.replaceAll(/^/gm, '    ')}\n    got.append(${JSON.stringify(reach)})\nexcept BaseException:\n    pass`,
    ),
    'print("x" * 300_000_000)',
    'got',
  ].join('\n')
  const [block] = await (await showBlocks(chat, code)).all()
  await runButton(block!).click()
  await expect(part(block!, 'Result')).toHaveText('[]', COLD)
  await expect(part(block!, 'Warnings and errors')).toContainText('the rest is left out')
  await test.step('nor does JavaScript where it runs, even if it got there', async () => {
    const frame = page.frames().find((each) => each.url().endsWith('/frames/python.html'))!
    const inFrame = await frame.evaluate(async (address) => {
      const tried: Record<string, () => unknown> = {
        fetch: () => fetch(address),
        cookies: () => document.cookie,
        storage: () => localStorage.length,
        page: () => window.parent.document.title,
      }
      const open: string[] = []
      for (const [name, attempt] of Object.entries(tried)) {
        try {
          await attempt()
          open.push(name)
        } catch {
          // Blocked, as expected.
        }
      }
      return { origin: self.origin, open }
    }, `${chat.url}/health`)
    expect(inFrame).toEqual({ origin: 'null', open: [] })
    const worker = page.workers().find((each) => each.url().startsWith('blob:null/'))!
    const inWorker = await worker.evaluate(async (address) => {
      const open = [
        'Worker',
        'WebSocket',
        'XMLHttpRequest',
        'indexedDB',
        'caches',
        'postMessage',
        'importScripts',
      ].filter((name) => name in self)
      for (
        let holder: object | null = self;
        holder;
        holder = Object.getPrototypeOf(holder) as object | null
      ) {
        const own = Object.getOwnPropertyDescriptor(holder, 'fetch')?.value as
          | typeof fetch
          | undefined
        await own?.call(self, address).then(
          () => open.push('fetch'),
          () => undefined,
        )
      }
      return open
    }, `${chat.url}/health`)
    expect(inWorker).toEqual([])
  })
  // These violations were caused on purpose.
  troubles.policyViolations.length = 0
})

test('a model has code run in this window, and the answer shows it, also after a reload', async ({
  chat,
}) => {
  const { page } = chat
  await chat.open()
  const draw = [
    'import struct, zlib',
    'class Picture:',
    '    def _repr_png_(self):',
    '        chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))',
    '        head = struct.pack(">IIBBBBB", 120, 80, 8, 0, 0, 0, 0)',
    '        rows = zlib.compress(b"".join(b"\\0" + bytes((x + y) % 256 for x in range(120)) for y in range(80)))',
    '        return b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")',
    'print("drawn here")',
    'Picture()',
  ].join('\n')
  await page.getByRole('button', { name: 'Run code', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Run code', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await chat.send(`/call execute_code ${JSON.stringify({ code: draw })}`)
  const answer = chat.answers.last()
  await expect(answer).toContainText('It said:', COLD)
  const check = async (): Promise<void> => {
    await expect(answer.getByRole('listitem').filter({ hasText: 'Python' })).toHaveCount(1)
    await answer.locator('summary').filter({ hasText: 'Python' }).click()
    await expect(part(answer, 'Output')).toHaveText('drawn here')
    await expect(answer.getByRole('figure', { name: 'Code, python' })).toContainText(
      'class Picture',
    )
    await expect(answer.getByRole('button', { name: /^Enlarge/ }).locator('img')).toHaveJSProperty(
      'naturalWidth',
      120,
    )
  }
  await check()
  const stored = await page.request.get(
    `${chat.url}/api/v1/chats/${chat.path().slice('/c/'.length)}`,
  )
  expect(await stored.text()).toContain('"engine":"window"')
  await expectAccessible(page)
  await page.reload()
  await check()
})

interface LockedPackage {
  readonly file_name: string
  readonly depends: readonly string[]
}

/** Pure Python under the names of packages, as the real ones cannot be downloaded here. */
const SOURCES: Readonly<Record<string, string>> = {
  pandas: [
    'import numpy',
    'class DataFrame:',
    '    def to_html(self, **options):',
    '        return "<table><thead><tr><th></th><th>town</th></tr></thead><tbody><tr><th>0</th><td>Oslo <b>&amp;</b> x</td></tr></tbody></table>"',
    '    def __repr__(self):',
    '        return "the table as text"',
  ].join('\n'),
}

/** Puts wheels into the data folder, as a finished download does. */
async function layPackages(gateway: TestGateway, names: readonly string[]): Promise<void> {
  const lock = createRequire(import.meta.url).resolve('pyodide/pyodide-lock.json')
  const { packages } = JSON.parse(await readFile(lock, 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  const folder = path.join(gateway.dataDir, 'code', 'packages')
  await mkdir(folder, { recursive: true })
  const laid = new Set<string>()
  const lay = async (name: string): Promise<void> => {
    if (laid.has(name)) return
    laid.add(name)
    const [distribution, version] = packages[name]!.file_name.split('-')
    const about = `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`
    const info = `${distribution}-${version}.dist-info`
    const files = {
      [`${name}/__init__.py`]: strToU8(SOURCES[name] ?? ''),
      [`${info}/METADATA`]: strToU8(about),
    }
    const wheel = {
      ...files,
      [`${info}/RECORD`]: strToU8(''),
      [`${info}/WHEEL`]: strToU8('Wheel-Version: 1.0\n'),
    }
    await writeFile(path.join(folder, packages[name]!.file_name), zipSync(wheel))
    for (const needed of packages[name]!.depends) await lay(needed)
  }
  for (const name of names) await lay(name)
}

test('packages the gateway has are loaded by what code imports, tables are shown as text, and others are said to be missing', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway()
  await layPackages(gateway, ['pandas'])
  const chat = await openAdminChat(page, gateway)
  const blocks = await showBlocks(chat, 'import pandas\npandas.DataFrame()', 'import matplotlib')
  await runButton(blocks.first()).click()
  const table = blocks.first().getByRole('figure', { name: 'Table' })
  await expect(table.getByRole('cell', { name: 'Oslo & x' })).toBeVisible(COLD)
  await expect(table.getByRole('columnheader', { name: 'town' })).toBeVisible()
  await runButton(blocks.last()).click()
  await expect(blocks.last()).toContainText(
    'The package matplotlib is not here. An administrator can have it fetched in the settings of code.',
  )
  await expectAccessible(page)
  await page.goto(`${gateway.url}/settings/code`)
  await expect(page.getByRole('listitem').filter({ hasText: 'pandas' })).toContainText('Downloaded')
})

test('an administrator sees what runs code and what it reaches, and switches it off', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway()
  const chat = await openAdminChat(page, gateway)
  const blocks = await showBlocks(chat, '1 + 1')
  await expect(runButton(blocks.first())).toBeVisible()
  await page.goto(`${gateway.url}/settings/code`)
  await expect(page.getByRole('switch', { name: 'Let people run code blocks' })).toBeChecked()
  await expectAccessible(page)
  await page.getByRole('switch', { name: 'Let people run code blocks' }).click()
  await page.getByRole('switch', { name: 'Let models run code' }).click()
  await expect(page.getByText('nothing: it is turned off')).toHaveCount(2)
  await page.goBack()
  await expect(blocks.first()).toBeVisible()
  await expect(runButton(blocks.first())).toHaveCount(0)
  await page.getByRole('button', { name: 'Run code', exact: true }).click()
  await page.getByRole('button', { name: 'Open settings' }).click()
  await expect(page.getByRole('switch', { name: 'Let models run code' })).not.toBeChecked()
})
