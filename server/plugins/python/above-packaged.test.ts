import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createLogger } from '../../lib/logger.ts'
import { packagedPython } from '../../testing/packaged-python.ts'
import { writeWheel } from '../../testing/write-wheel.ts'
import { Environments } from './environments.ts'
import type { EnvironmentsOptions } from './ready-environment.ts'
import { findPython, type PythonSearch } from './find-python.ts'
import { readPackagedPython } from './packaged-python.ts'

const OFFLINE = 'The gateway is in offline mode, so nothing is installed.'

describe.skipIf(packagedPython === null)(
  'Environments above the Python of the app',
  { timeout: 90_000 },
  () => {
    const scratch = mkdtempSync(path.join(tmpdir(), 'packaged-python-'))
    const wheels = path.join(scratch, 'wheels')
    /** Path of the app; each start of an AppImage has a different one. */
    let app = path.join(scratch, 'mount-1')

    beforeAll(() => {
      cpSync(packagedPython!, app, { recursive: true, verbatimSymlinks: true })
      mkdirSync(wheels)
      writeWheel(wheels, 'demo_added', { needs: ['requests>=2'] })
    }, 60_000)
    afterAll(() => rmSync(scratch, { recursive: true, force: true }))

    interface Options {
      refusal?: string | null
      folder?: string
      base?: readonly string[]
      /** Changes the result of the search for Python. */
      change?: (search: PythonSearch) => PythonSearch
    }

    const newFolder = (): string => {
      const folder = mkdtempSync(path.join(scratch, 'environments-'))
      onTestFinished(() => {
        for (const each of [folder, `${folder}-seals`])
          rmSync(each, { recursive: true, force: true })
      })
      return folder
    }

    async function open({
      refusal = null,
      folder = newFolder(),
      base,
      change = (search) => search,
    }: Options = {}): Promise<Environments> {
      const manifest = await readPackagedPython(app)
      const options: EnvironmentsOptions = {
        folder,
        sealsFolder: `${folder}-seals`,
        temporaryFolder: path.join(scratch, 'workers'),
        closed: [`${folder}-seals`],
        findPython: async () =>
          change(
            await findPython({ wanted: '', packagedFolder: app, searchPath: '', folder: scratch }),
          ),
        basePackages: () => base ?? (typeof manifest === 'string' ? [] : manifest.packages),
        refusal: () => refusal,
        watch: () => null,
        variables: { PIP_NO_INDEX: '1', PIP_FIND_LINKS: wheels },
        log: createLogger('silent'),
      }
      const environments = new Environments(options)
      onTestFinished(() => environments.close())
      return environments
    }

    /** Returns the description of the environment with its own requirements. */
    const described = (environments: Environments) =>
      environments.describe().find(({ requirements }) => requirements.length > 0)!

    const importIn = (python: string, names: string, told: string): string =>
      execFileSync(python, ['-I', '-B', '-c', `import ${names}; print(${told})`], {
        encoding: 'utf8',
        env: {},
      }).trim()

    /** Simulates another installed version of the app. */
    const upgraded = (search: PythonSearch): PythonSearch =>
      'missing' in search
        ? search
        : {
            ...search,
            python: { ...search.python, packaged: { ...search.python.packaged!, lock: 'new' } },
          }

    const inPackage = (): string[] => (readdirSync(app, { recursive: true }) as string[]).toSorted()

    test('plugins that ask for nothing run in it as it is, without network and permission to install', async () => {
      const folder = newFolder()
      const before = inPackage()
      const ready = await (await open({ refusal: OFFLINE, folder })).ensure([])
      expect(ready).toMatchObject({ id: 'base', python: path.join(app, 'bin/python3') })
      expect(
        importIn(
          ready.python,
          'pydantic, requests, bs4, aiohttp, cryptography',
          'requests.__file__',
        ),
      ).toContain(app)
      expect(readdirSync(folder)).toEqual([])
      expect(inPackage()).toEqual(before)
    })

    test('what comes along is not installed a second time, and shares the process of plugins that ask for nothing', async () => {
      const environments = await open({ refusal: OFFLINE })
      const base = await environments.ensure([])
      expect(await environments.ensure(['beautifulsoup4 >= 4', 'requests'])).toEqual(base)
      expect(described(environments)).toMatchObject({
        status: 'ready',
        log: expect.arrayContaining(['Everything asked for comes with the app.']),
      })
    })

    test('that it comes along is found out once, and again after an upgrade of the app', async () => {
      const folder = newFolder()
      const asked = async (options: Options = {}): Promise<boolean> => {
        const environments = await open({ refusal: OFFLINE, folder, ...options })
        await environments.ensure(['requests'])
        return described(environments).log.some((line) => line.includes('--dry-run'))
      }
      expect([
        await asked(),
        await asked(),
        await asked({ change: upgraded }),
        await asked({ base: ['pydantic'] }),
      ]).toEqual([true, false, true, true])
    })

    test('what is missing is named where nothing may be installed, and where it cannot be had', async () => {
      await expect((await open({ refusal: OFFLINE })).ensure(['demo_added'])).rejects.toThrow(
        `demo_added would have to be installed. ${OFFLINE}`,
      )
      await expect((await open({ refusal: OFFLINE })).ensure(['requests>=900'])).rejects.toThrow(
        /requests>=900 would have to be installed/,
      )
      await expect((await open()).ensure(['demo-missing'])).rejects.toThrow(
        /could not be installed.*demo-missing/,
      )
    })

    test('only what is missing is installed, beside the app and not into it', async () => {
      const folder = newFolder()
      const before = inPackage()
      const environments = await open({ folder })
      const ready = await environments.ensure(['demo_added'])
      expect(
        importIn(ready.python, 'demo_added, requests', 'demo_added.__file__, requests.__file__'),
      ).toMatch(new RegExp(`^${folder}/.*demo_added\\.py ${app}/`))
      expect(described(environments).log.join('\n')).toMatch(
        /Requirement already satisfied: requests[^]*Successfully installed demo_added-1\.0/,
      )
      expect(inPackage()).toEqual(before)
    })

    test('an environment follows the app to another place, without network', async () => {
      const folder = newFolder()
      const before = await (await open({ folder })).ensure(['demo_added'])
      const moved = path.join(scratch, `mount-${app.at(-1)}1`)
      renameSync(app, moved)
      app = moved
      // Its link is broken now.
      expect(existsSync(before.python)).toBe(false)
      const after = await (await open({ folder, refusal: OFFLINE })).ensure(['demo_added'])
      expect(after.id).toBe(before.id)
      expect(importIn(after.python, 'demo_added, requests', 'requests.__file__')).toContain(
        `${moved}/`,
      )
    })

    test('after an upgrade of the app its packages are used, and only what they lack is installed', async () => {
      const folder = newFolder()
      await (await open({ folder })).ensure(['demo_added'])
      const environments = await open({ folder, refusal: OFFLINE, change: upgraded })
      const ready = await environments.ensure(['demo_added'])
      expect(described(environments).log.join('\n')).toContain(
        'Requirement already satisfied: demo_added',
      )
      expect(importIn(ready.python, 'demo_added', 'demo_added.NAME')).toBe('demo_added')
      expect(readFileSync(path.join(`${folder}-seals`, `${ready.id}.json`), 'utf8')).toContain(
        '"lock":"new"',
      )
    })

    test('another version of Python has the environment made anew', async () => {
      const folder = newFolder()
      const first = await (await open({ folder })).ensure(['demo_added'])
      const mark = path.join(folder, first.id, 'mark')
      writeFileSync(mark, '')
      const newer = (search: PythonSearch): PythonSearch =>
        'missing' in search
          ? search
          : { ...search, python: { ...search.python, version: '3.99.0' } }
      await expect(
        (await open({ folder, refusal: OFFLINE, change: newer })).ensure(['demo_added']),
      ).rejects.toThrow(OFFLINE)
      expect(existsSync(mark)).toBe(true)
      await (await open({ folder, change: newer })).ensure(['demo_added'])
      expect(existsSync(mark)).toBe(false)
    })

    test('other base packages are installed above it, and seen by the environments above those', async () => {
      writeWheel(wheels, 'demo_second')
      const environments = await open({ base: ['pydantic', 'demo_added'] })
      const base = await environments.ensure([])
      expect(importIn(base.python, 'demo_added, pydantic', 'demo_added.NAME')).toBe('demo_added')
      const above = await environments.ensure(['demo_second'])
      expect(importIn(above.python, 'demo_added, demo_second, pydantic', 'demo_second.NAME')).toBe(
        'demo_second',
      )
      expect(await (await open({ base: ['pydantic'], refusal: OFFLINE })).ensure([])).toMatchObject(
        { python: path.join(app, 'bin/python3') },
      )
    })

    test('installing an environment again makes it from nothing', async () => {
      const folder = newFolder()
      const environments = await open({ folder })
      const { id, python } = await environments.ensure(['demo_added'])
      rmSync(path.join(folder, id, 'bin'), { recursive: true })
      expect(await environments.reinstall(id)).toMatchObject({ python })
      expect(importIn(python, 'demo_added', 'demo_added.NAME')).toBe('demo_added')
      expect(await environments.reinstall('base')).toMatchObject({
        python: path.join(app, 'bin/python3'),
      })
    })
  },
)
