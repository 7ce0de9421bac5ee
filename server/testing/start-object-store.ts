import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const root = path.resolve(import.meta.dirname, '../..')
/** Prepared by `npm test`. */
const PYTHON = path.join(root, 'out/object-store-python/bin/python')

/** True if tests of the store may be skipped: never where all tests must run. */
export const lacksObjectStore = !existsSync(PYTHON) && process.env['CI'] === undefined

const KEY = 'AKIDTESTING'
const SECRET = 'only-for-tests'
const START_MILLISECONDS = 60_000

/** A real S3 store with a bucket, behind a connection that can be cut. */
export interface ObjectStore {
  readonly port: number
  /** Environment of a gateway that stores its uploads there. */
  readonly environment: Readonly<Record<string, string>>
  /** Names of all objects of the bucket. */
  names(): Promise<string[]>
  /** Cuts the connection, including running transfers. */
  cut(): Promise<void>
  mend(): Promise<void>
  /** Passes this many bytes from the store on each connection, then cuts it. */
  cutAfter(bytes: number): void
  /** Holds back the store's responses, or also the data sent to it. */
  hold(what: 'nothing' | 'answers' | 'everything'): void
  /** Received calls, as `GET /bucket/name`. */
  readonly calls: string[]
  close(): Promise<void>
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

/** A connection to a port that can be cut and restored. */
class Line {
  readonly calls: string[] = []
  cutAfter = Number.POSITIVE_INFINITY
  held: 'nothing' | 'answers' | 'everything' = 'nothing'
  readonly #target: number
  readonly #sockets = new Set<Socket>()
  #server: Server | null = null
  port = 0

  constructor(target: number) {
    this.#target = target
  }

  async open(): Promise<void> {
    if (this.#server) return
    this.#server = createServer((socket) => this.#lead(socket))
    this.#server.listen(this.port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.port = (this.#server.address() as AddressInfo).port
  }

  async cut(): Promise<void> {
    const closed = this.#server && once(this.#server, 'close')
    this.#server?.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
    this.#server = null
  }

  #lead(socket: Socket): void {
    const onward = connect(this.#target, '127.0.0.1')
    let brought = 0
    for (const each of [socket, onward]) {
      this.#sockets.add(each)
      each.on('error', () => undefined)
      each.on('close', () => {
        this.#sockets.delete(each)
        socket.destroy()
        onward.destroy()
      })
    }
    socket.on('data', (bytes: Buffer) => {
      const call = /^([A-Z]+ \S+) HTTP\/1\.1\r\n/.exec(bytes.toString('latin1', 0, 2000))
      if (call) this.calls.push(call[1]!)
      if (this.held === 'everything') return void socket.pause()
      if (onward.write(bytes)) return
      socket.pause()
      onward.once('drain', () => socket.resume())
    })
    onward.on('data', (bytes: Buffer) => {
      if (this.held !== 'nothing') return void onward.pause()
      const room = this.cutAfter - brought
      brought += bytes.length
      if (bytes.length <= room) {
        if (!socket.write(bytes)) {
          onward.pause()
          socket.once('drain', () => onward.resume())
        }
      } else socket.end(bytes.subarray(0, Math.max(0, room)))
    })
  }
}

async function waitUntilReady(origin: string, child: ChildProcess): Promise<void> {
  const end = Date.now() + START_MILLISECONDS
  for (;;) {
    const reply = await fetch(origin).catch(() => null)
    if (reply) return
    if (child.exitCode !== null || Date.now() > end) throw new Error('The store did not start.')
    await sleep(100)
  }
}

export interface ObjectStoreOptions {
  readonly bucket?: string
  /** Requires valid keys once the bucket exists. */
  readonly asksForKeys?: boolean
}

export async function startObjectStore({
  bucket = 'uploads',
  asksForKeys = false,
}: ObjectStoreOptions = {}): Promise<ObjectStore> {
  const port = await freePort()
  const child = spawn(PYTHON, ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)], {
    env: {
      PATH: process.env['PATH'] ?? '',
      // Calls allowed without keys: the availability check and creating the bucket.
      ...(asksForKeys && { INITIAL_NO_AUTH_ACTION_COUNT: '1' }),
    },
    stdio: 'ignore',
  })
  const origin = `http://127.0.0.1:${port}`
  await waitUntilReady(`${origin}/moto-api/`, child)
  const made = await fetch(`${origin}/${bucket}`, { method: 'PUT' })
  if (!made.ok) throw new Error(`There is no bucket: ${made.status} ${await made.text()}`)
  const line = new Line(port)
  await line.open()
  return {
    port: line.port,
    calls: line.calls,
    environment: {
      STORAGE_PROVIDER: 's3',
      S3_BUCKET_NAME: bucket,
      S3_ENDPOINT_URL: `http://127.0.0.1:${line.port}`,
      S3_ACCESS_KEY_ID: KEY,
      S3_SECRET_ACCESS_KEY: SECRET,
      S3_KEY_PREFIX: 'gateway/',
    },
    async names() {
      const text = await (await fetch(`${origin}/${bucket}?list-type=2`)).text()
      return [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, name]) => name!)
    },
    cut: () => line.cut(),
    mend: () => line.open(),
    cutAfter: (bytes) => void (line.cutAfter = bytes),
    hold: (what) => void (line.held = what),
    async close() {
      await line.cut()
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}
