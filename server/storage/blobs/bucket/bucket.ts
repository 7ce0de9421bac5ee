import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import type * as sdk from '@aws-sdk/client-s3'
import type { ObjectStoreConfig } from '../../../config/parse-object-store.ts'
import { StartError } from '../../../config/start-error.ts'
import type { BlobReading, NewBytes } from '../blobs.ts'
import { BucketFault, toFault } from './faults.ts'
import { OutgoingHandler } from './outgoing-handler.ts'

type Sdk = Pick<
  typeof sdk,
  'S3Client' | 'PutObjectCommand' | 'GetObjectCommand' | 'HeadObjectCommand' | 'DeleteObjectCommand'
>

const quiet = (): void => undefined
const SILENT = { debug: quiet, info: quiet, warn: quiet, error: quiet }

const TRIES = 2
/** The SDK does not resend a stream body, so it is reopened here. */
const UPLOAD_TRIES = 2

async function loadSdk(): Promise<Sdk> {
  try {
    return await import('@aws-sdk/client-s3')
  } catch (error) {
    throw new StartError(
      'STORAGE_PROVIDER=s3 needs the library of object stores, which is not part of this installation: the desktop app does not bring it. Leave STORAGE_PROVIDER out.',
      { cause: error },
    )
  }
}

/** An object as requested. */
interface FoundObject {
  readonly body: Readable
  readonly length: number | undefined
  /** For example `bytes 0-9/100`; absent if the whole object is returned. */
  readonly range: string | undefined
}

/** Objects of the gateway in a bucket. Every error is a `BucketFault`. */
export class Bucket {
  readonly #sdk: Sdk
  readonly #client: sdk.S3Client
  readonly #handler = new OutgoingHandler()
  readonly #bucket: string
  readonly #prefix: string

  private constructor(loaded: Sdk, config: ObjectStoreConfig) {
    this.#sdk = loaded
    this.#bucket = config.bucket
    this.#prefix = config.keyPrefix
    this.#client = new loaded.S3Client({
      region: config.region,
      forcePathStyle: config.isPathStyle,
      maxAttempts: TRIES,
      requestHandler: this.#handler,
      expectContinueHeader: false,
      // Errors it would write to the console are reported by the code that catches them.
      logger: SILENT,
      // Stores of other vendors do not support the newer checksums; the gateway checks hashes
      // itself.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      ...(config.endpoint !== null && { endpoint: config.endpoint }),
      ...(config.credentials && { credentials: config.credentials }),
    })
  }

  /** Loads the SDK, so that it costs nothing without a bucket. */
  static async open(config: ObjectStoreConfig): Promise<Bucket> {
    return new Bucket(await loadSdk(), config)
  }

  /** Stores a file as a private object. */
  async put(name: string, { path, size, hash }: NewBytes): Promise<void> {
    for (let rest = UPLOAD_TRIES; ; rest -= 1) {
      const body = createReadStream(path)
      try {
        await this.#put(name, { body, size, hash })
        return
      } catch (error) {
        const fault = toFault(error)
        const isWorthAnother = fault instanceof BucketFault && fault.problem === 'away'
        if (!isWorthAnother || rest <= 1) throw fault
      } finally {
        body.destroy()
      }
    }
  }

  async get(name: string, { signal, range }: BlobReading): Promise<FoundObject> {
    const command = new this.#sdk.GetObjectCommand({
      ...this.#place(name),
      ...(range && { Range: `bytes=${range.start}-${range.end}` }),
    })
    const found = await this.#guard(() =>
      this.#client.send(command, signal ? { abortSignal: signal } : {}),
    )
    return {
      body: found.Body as Readable,
      length: found.ContentLength,
      range: found.ContentRange,
    }
  }

  async size(name: string): Promise<number | undefined> {
    const command = new this.#sdk.HeadObjectCommand(this.#place(name))
    return (await this.#guard(() => this.#client.send(command))).ContentLength
  }

  /** Does nothing if the object is already deleted. */
  async remove(name: string): Promise<void> {
    try {
      const command = new this.#sdk.DeleteObjectCommand(this.#place(name))
      await this.#guard(() => this.#client.send(command))
    } catch (error) {
      if (!(error instanceof BucketFault) || error.problem !== 'no-such-object') throw error
    }
  }

  /** Writes, reads and deletes a small object, which tests all operations the gateway uses. */
  async prove(name: string, signal: AbortSignal): Promise<void> {
    const place = this.#place(name)
    const text = 'Chat Gateway was here to see whether it may write, read and delete.\n'
    const { PutObjectCommand, GetObjectCommand, DeleteObjectCommand } = this.#sdk
    const options = { abortSignal: signal }
    await this.#guard(async () => {
      await this.#client.send(new PutObjectCommand({ ...place, Body: text }), options)
      try {
        const { Body } = await this.#client.send(new GetObjectCommand(place), options)
        if ((await Body?.transformToString()) !== text)
          throw new BucketFault('other-bytes', 'OtherBytes')
      } finally {
        await this.#client.send(new DeleteObjectCommand(place), options)
      }
    })
  }

  /** Closes all connections; the next call opens a new one. */
  close(): void {
    this.#handler.destroy()
  }

  async #put(
    name: string,
    { body, size, hash }: { body: Readable; size: number; hash: string },
  ): Promise<void> {
    const command = new this.#sdk.PutObjectCommand({
      ...this.#place(name),
      Body: body,
      ContentLength: size,
      ContentType: 'application/octet-stream',
    })
    // Signed with the request, so that a store accepts only exactly these bytes.
    command.middlewareStack.add(
      (next) => (given) => {
        const { headers } = given.request as { headers: Record<string, string> }
        headers['x-amz-content-sha256'] = hash
        return next(given)
      },
      { step: 'build', name: 'nameHash' },
    )
    await this.#client.send(command)
  }

  #place(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: this.#prefix + name }
  }

  async #guard<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw toFault(error)
    }
  }
}
