import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')

/** Files served by an update server; a test replaces parts of them with false ones. */
export interface Release {
  readonly version: string
  readonly file: Buffer
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void

export const digestOf = (bytes: Buffer): string =>
  createHash('sha512').update(bytes).digest('base64')

export const describeRelease = ({ version, file }: Release, sha512 = digestOf(file)): string =>
  [
    `version: ${version}`,
    'files:',
    `  - url: Chat-Gateway-${version}.AppImage`,
    `    sha512: ${sha512}`,
    `    size: ${file.length}`,
    `path: Chat-Gateway-${version}.AppImage`,
    `sha512: ${sha512}`,
    'releaseNotes: "First line\\n<b>Second</b> line"',
    "releaseDate: '2026-11-01T00:00:00.000Z'",
    '',
  ].join('\n')

/** An update server on this machine that counts the requests. */
export class UpdateServer {
  readonly #server = createServer((request, response) => this.#answer(request, response))
  readonly requests: { path: string; headers: IncomingMessage['headers'] }[] = []
  #list: Answer = (_, response) => void response.writeHead(404).end()
  #file: Answer = (_, response) => void response.writeHead(404).end()

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  offer(release: Release): void {
    this.onList((_, response) => void response.end(describeRelease(release)))
    this.onFile((_, response) => {
      response.setHeader('Content-Length', release.file.length)
      response.end(release.file)
    })
  }

  onList(answer: Answer): void {
    this.#list = answer
  }

  onFile(answer: Answer): void {
    this.#file = answer
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname } = new URL(request.url ?? '/', this.url)
    this.requests.push({ path: pathname, headers: request.headers })
    if (pathname === '/latest-linux.yml') this.#list(request, response)
    else this.#file(request, response)
  }
}

/** Writes the file that a packed app has next to its executable. */
export function writeFeedFile(folder: string, url: string): string {
  const file = path.join(folder, 'app-update.yml')
  const cache = `updaterCacheDirName: ${path.basename(folder)}`
  writeFileSync(file, `provider: generic\nurl: ${url}\n${cache}\n`)
  return file
}

/** Creates the same app under another version: its files are those of the tree. */
export function makeVersion(folder: string, version: string): string {
  const copy = path.join(folder, `app-${version}`)
  mkdirSync(copy)
  for (const name of readdirSync(root))
    if (name !== 'package.json') symlinkSync(path.join(root, name), path.join(copy, name))
  const description = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as object
  writeFileSync(path.join(copy, 'package.json'), JSON.stringify({ ...description, version }))
  return copy
}
