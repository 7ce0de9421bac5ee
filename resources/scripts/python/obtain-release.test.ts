import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { download, findEscapes } from './obtain-release.ts'
import { archiveUrl, releaseFor, TARGETS } from './targets.ts'

const newFolder = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'obtain-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

async function serve(text: string, status = 200): Promise<{ url: string; asked: () => number }> {
  let asked = 0
  const server = createServer((_, response) => {
    asked += 1
    response.writeHead(status).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/python.tar.gz`,
    asked: () => asked,
  }
}

describe('Downloading the Python of the package', () => {
  test('it is kept, and fetched once', async () => {
    const { url, asked } = await serve('archive')
    const file = path.join(newFolder(), 'cache/python.tar.gz')
    await download(url, file, sha256('archive'))
    await download(url, file, sha256('archive'))
    expect({ text: readFileSync(file, 'utf8'), asked: asked() }).toEqual({
      text: 'archive',
      asked: 1,
    })
  })

  test('other content is refused and leaves nothing behind', async () => {
    const { url } = await serve('something else')
    const folder = newFolder()
    const file = path.join(folder, 'python.tar.gz')
    await expect(download(url, file, sha256('archive'))).rejects.toThrow('its SHA-256 differs')
    expect(readdirSync(folder)).toEqual([])
  })

  test('a kept file that was changed is fetched again', async () => {
    const { url } = await serve('archive')
    const file = path.join(newFolder(), 'python.tar.gz')
    writeFileSync(file, 'half')
    await download(url, file, sha256('archive'))
    expect(readFileSync(file, 'utf8')).toBe('archive')
  })

  test('an error of the site is told', async () => {
    const { url } = await serve('gone', 404)
    const file = path.join(newFolder(), 'python.tar.gz')
    await expect(download(url, file, sha256('gone'))).rejects.toThrow('answered 404')
    expect(existsSync(file)).toBe(false)
  })

  test('every platform has an archive of its own', () => {
    expect(new Set(TARGETS.map((target) => archiveUrl(releaseFor(target)))).size).toBe(6)
    expect(new Set(TARGETS.map((target) => releaseFor(target).sha256)).size).toBe(6)
  })
})

test('links that lead out of the unpacked folder are found', async () => {
  const folder = newFolder()
  mkdirSync(path.join(folder, 'bin'))
  symlinkSync('python3', path.join(folder, 'bin/python'))
  symlinkSync('../lib', path.join(folder, 'bin/lib'))
  expect(await findEscapes(folder)).toEqual([])
  symlinkSync('../../elsewhere', path.join(folder, 'bin/out'))
  symlinkSync('/etc/passwd', path.join(folder, 'absolute'))
  expect((await findEscapes(folder)).toSorted()).toEqual(['absolute', 'bin/out'])
})
