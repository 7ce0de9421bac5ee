import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

export interface PackageIndex {
  /** Contains a user name and password, as company indexes require. */
  readonly url: string
  /** Requested paths. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

/** Starts a package index that serves the files of a folder. */
export async function startPackageIndex(folder: string): Promise<PackageIndex> {
  const asked: string[] = []
  const server = createServer(({ url = '/' }, response) => {
    asked.push(url)
    const file = path.join(folder, path.basename(url))
    if (url.startsWith('/files/') && existsSync(file)) return void response.end(readFileSync(file))
    const name = path.basename(url).replaceAll('-', '_')
    const links = readdirSync(folder).filter((each) => each.startsWith(`${name}-`))
    if (links.length === 0) return void response.writeHead(404).end()
    response
      .writeHead(200, { 'Content-Type': 'text/html' })
      .end(links.map((each) => `<a href="/files/${each}">${each}</a>`).join('\n'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://reader:password-of-the-index@127.0.0.1:${(server.address() as AddressInfo).port}/simple`,
    asked,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
