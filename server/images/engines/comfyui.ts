import { randomInt, randomUUID } from 'node:crypto'
import type { WorkflowNode } from '#contract/images.ts'
import { badRequest } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import { openOutgoingSocket, type OutgoingSocket } from '../../lib/outgoing/outgoing-socket.ts'
import { ownValue } from '../../lib/json/own-value.ts'
import type { EngineRun, MakePictures, PictureWish } from './engine.ts'
import type { EngineClient } from './engine-client.ts'
import { authorization, NOTHING_MADE } from './openai.ts'
import { formBody, jsonBody } from './write-body.ts'
import { parseOrNull } from '../../lib/json/parse-or-null.ts'

export interface ComfyServer {
  readonly base: string
  readonly key: string
  readonly workflow: Readonly<Record<string, unknown>>
  readonly nodes: readonly WorkflowNode[]
  readonly steps: number
}

type Graph = Record<string, { class_type?: unknown; inputs: Record<string, unknown> }>

const CONNECT_MILLISECONDS = 10_000
const STOP_MILLISECONDS = 5000
/** Previews arrive as separate messages. */
const MESSAGE_BYTES = 16 * 1024 * 1024
const NO_PICTURES = { pictureBytes: 0, pictures: 0 }
const LARGEST_SEED = 2 ** 48 - 1
/** Default inputs for the values if the mapping names none. */
const USUAL_KEYS: Readonly<Record<string, string>> = {
  prompt: 'text',
  negative_prompt: 'text',
  model: 'ckpt_name',
  image: 'image',
  width: 'width',
  height: 'height',
  n: 'batch_size',
  steps: 'steps',
  seed: 'seed',
}

const fault = (message: string, cause?: unknown) =>
  badRequest(message, { code: 'image_engine_failed', cause })
const addressOf = ({ base }: Pick<ComfyServer, 'base'>, path: string): string =>
  `${base.replace(/\/+$/, '')}/${path}`

/** Returns a copy of the workflow with the values of the call filled in. */
export function fillWorkflow(
  { workflow, nodes }: ComfyServer,
  values: Readonly<Record<string, unknown>>,
): Graph {
  const graph = structuredClone(workflow) as Graph
  if (Object.keys(graph).length === 0)
    throw fault('There is no ComfyUI workflow. An administrator can set one, in API format.')
  for (const { type, key, node_ids: ids, value: fixed } of nodes) {
    const value = Object.hasOwn(values, type) ? values[type] : fixed
    // The workflow's own value is kept if the call has none.
    if (value === undefined || value === null || value === '') continue
    for (const id of ids ?? []) {
      const node = Object.hasOwn(graph, String(id)) ? graph[String(id)] : undefined
      if (!isRecord(node) || !isRecord(node.inputs))
        throw fault(`The ComfyUI workflow has no node ${id}, which "${type}" is mapped to.`)
      node.inputs[key || ownValue(USUAL_KEYS, type) || type] = value
    }
  }
  return graph
}

/** Returns the models that the loader of a workflow accepts. */
export async function listComfyModels(
  server: ComfyServer,
  client: EngineClient,
  signal: AbortSignal,
): Promise<{ id: string; name: string }[]> {
  const mapped = server.nodes.find(({ type }) => type === 'model')
  const node = server.workflow[String(mapped?.node_ids?.[0])]
  const loader =
    isRecord(node) && typeof node['class_type'] === 'string'
      ? node['class_type']
      : 'CheckpointLoaderSimple'
  const key = mapped?.key || 'ckpt_name'
  const address = addressOf(server, `object_info/${encodeURIComponent(loader)}`)
  const { value } = await client.json(
    address,
    { headers: authorization(server.key), signal },
    NO_PICTURES,
  )
  const about = isRecord(value) && isRecord(value[loader]) ? value[loader]['input'] : null
  const required = isRecord(about) && isRecord(about['required']) ? about['required'][key] : null
  const names =
    Array.isArray(required) && Array.isArray(required[0]) ? (required[0] as unknown[]) : []
  return names
    .filter((name): name is string => typeof name === 'string')
    .map((name) => ({ id: name, name }))
}

/** Checks that a server is reachable. */
export async function checkComfy(
  { base, key }: Pick<ComfyServer, 'base' | 'key'>,
  client: EngineClient,
  signal: AbortSignal,
): Promise<void> {
  const { value } = await client.json(
    addressOf({ base }, 'queue'),
    { headers: authorization(key), signal },
    NO_PICTURES,
  )
  if (!isRecord(value) || !('queue_running' in value))
    throw fault('What is at this address is no ComfyUI server.')
}

/** Uploads images to the server's input; resolves with the name the server gave the first one. */
async function upload(
  server: ComfyServer,
  { sources }: PictureWish,
  { client, signal }: EngineRun,
): Promise<string | null> {
  let first: string | null = null
  for (const { type, bytes } of sources) {
    const filename = `${randomUUID()}.${type.slice(6)}`
    const body = formBody({ overwrite: 'true' }, [{ name: 'image', filename, type, bytes }])
    const call = { method: 'POST', headers: authorization(server.key), body, signal } as const
    const { value } = await client.json(addressOf(server, 'upload/image'), call, NO_PICTURES)
    const { name, subfolder } = isRecord(value) ? value : {}
    if (typeof name !== 'string') throw fault('ComfyUI did not take the picture to edit.')
    first ??= typeof subfolder === 'string' && subfolder !== '' ? `${subfolder}/${name}` : name
  }
  return first
}

/**
 * @NOTE The id is chosen here, so that work can be cancelled before the response arrives; older
 *   servers choose their own id.
 */
async function queue(
  server: ComfyServer,
  graph: Graph,
  ids: { client: string; own: string },
  { client, signal }: EngineRun,
): Promise<string> {
  const call = {
    method: 'POST',
    headers: authorization(server.key),
    body: jsonBody({ prompt: graph, client_id: ids.client, prompt_id: ids.own }),
    signal,
  } as const
  const { value } = await client.json(addressOf(server, 'prompt'), call, NO_PICTURES)
  const id = isRecord(value) ? value['prompt_id'] : null
  if (typeof id !== 'string' || id === '') throw fault('ComfyUI did not take the workflow.')
  return id
}

interface Place {
  /** True if the server has started the work. */
  isRunning: boolean
}

const lost = (cause?: unknown) =>
  fault('The connection to ComfyUI was lost while it made the picture.', cause)

/**
 * Yields the messages of the server. A malformed or oversized one closes the connection, as does a
 * disconnect.
 */
async function* listen(
  socket: OutgoingSocket,
  { signal }: EngineRun,
): AsyncGenerator<string | null, void, void> {
  try {
    for await (const { text } of socket.messages()) yield text
  } catch (error) {
    signal.throwIfAborted()
    throw lost(error)
  }
}

/** Reads the messages of the server until the work is done. */
async function follow(
  socket: OutgoingSocket,
  id: string,
  run: EngineRun,
  place: Place,
): Promise<void> {
  for await (const text of listen(socket, run)) {
    const message: unknown = text === null ? null : parseOrNull(text)
    if (!isRecord(message) || !isRecord(message['data'])) continue
    const { type, data } = message as { type: unknown; data: Record<string, unknown> }
    if (data['prompt_id'] !== id) continue
    place.isRunning = true
    const { value, max, exception_message: reason, node } = data
    if (type === 'progress' && typeof value === 'number' && typeof max === 'number')
      run.onProgress(value, max)
    if (type === 'execution_error')
      throw fault(
        `ComfyUI failed: ${typeof reason === 'string' ? reason.trim().slice(0, 500) : 'it does not say why'}`,
      )
    if (type === 'execution_interrupted') throw fault('ComfyUI was interrupted by another client.')
    if (type === 'execution_success' || (type === 'executing' && node === null)) return
  }
  run.signal.throwIfAborted()
  throw lost()
}

interface OutputFile {
  readonly filename: string
  readonly subfolder: string
  readonly type: string
}

async function listOutputs(
  server: ComfyServer,
  id: string,
  { client, signal }: EngineRun,
): Promise<OutputFile[]> {
  const address = addressOf(server, `history/${encodeURIComponent(id)}`)
  const { value } = await client.json(
    address,
    { headers: authorization(server.key), signal },
    NO_PICTURES,
  )
  const entry = isRecord(value) && isRecord(value[id]) ? value[id] : {}
  const outputs = isRecord(entry['outputs']) ? Object.values(entry['outputs']) : []
  const files = outputs.flatMap((output) =>
    isRecord(output) && Array.isArray(output['images']) ? (output['images'] as unknown[]) : [],
  )
  const found = files.flatMap((file) => {
    const { filename, subfolder = '', type = 'output' } = isRecord(file) ? file : {}
    return typeof filename === 'string'
      ? [{ filename, subfolder: String(subfolder), type: String(type) }]
      : []
  })
  // Previews of intermediate steps are used only if there is nothing else.
  const saved = found.filter(({ type }) => type === 'output')
  return saved.length > 0 ? saved : found
}

async function fetchOutputs(
  server: ComfyServer,
  id: string,
  run: EngineRun,
  n: number,
): Promise<Buffer[]> {
  const pictures: Buffer[] = []
  for (const { filename, subfolder, type } of (await listOutputs(server, id, run)).slice(0, n)) {
    const query = new URLSearchParams({ filename, subfolder, type })
    const call = {
      headers: { ...authorization(server.key), accept: 'image/*' },
      signal: run.signal,
    }
    pictures.push(
      await run.client.bytes(addressOf(server, `view?${query.toString()}`), call, run.pictureBytes),
    )
  }
  return pictures
}

/**
 * Removes the work from the queue, and interrupts it if it is running: an interruption alone would
 * stop the item currently running, which may belong to another user.
 */
async function stop(
  server: ComfyServer,
  id: string,
  isRunning: boolean,
  client: EngineClient,
): Promise<void> {
  const call = {
    method: 'POST',
    headers: authorization(server.key),
    signal: AbortSignal.timeout(STOP_MILLISECONDS),
  } as const
  try {
    await client.tell(addressOf(server, 'queue'), { ...call, body: jsonBody({ delete: [id] }) })
    if (isRunning)
      await client.tell(addressOf(server, 'interrupt'), {
        ...call,
        body: jsonBody({ prompt_id: id }),
      })
  } catch {
    // The server is gone, and its work with it.
  }
}

/** ComfyUI: a workflow is queued, followed over a WebSocket, and its images are fetched. */
export const makeWithComfy =
  (server: ComfyServer): MakePictures =>
  async (wish, run) => {
    const { client, signal } = run
    const n = Math.max(1, wish.n)
    const seed = wish.seed ?? randomInt(LARGEST_SEED)
    const steps = wish.steps ?? server.steps
    const image = await upload(server, wish, run)
    const { prompt, negativePrompt, model, width, height } = wish
    const graph = fillWorkflow(server, {
      prompt,
      negative_prompt: negativePrompt,
      model,
      width,
      height,
      n,
      steps,
      seed,
      image,
    })
    const clientId = randomUUID()
    const address = client
      .check(addressOf(server, `ws?clientId=${clientId}`))
      .href.replace(/^http/, 'ws')
    const options = {
      headers: authorization(server.key),
      connectMilliseconds: CONNECT_MILLISECONDS,
      mostBytes: MESSAGE_BYTES,
      purpose: { kind: 'pictures' } as const,
      signal,
    }
    const socket = await openOutgoingSocket(address, options).catch((error: unknown) => {
      signal.throwIfAborted()
      throw fault(`ComfyUI at ${URL.parse(server.base)?.host} cannot be reached.`, error)
    })
    const place: Place = { isRunning: false }
    let id = randomUUID() as string
    try {
      id = await queue(server, graph, { client: clientId, own: id }, run)
      await follow(socket, id, run, place)
      const pictures = await fetchOutputs(server, id, run, n)
      if (pictures.length === 0) throw fault(NOTHING_MADE)
      return { pictures: pictures.map((bytes) => ({ bytes, seed })), steps, model }
    } catch (error) {
      if (signal.aborted) await stop(server, id, place.isRunning, client)
      throw error
    } finally {
      socket.close()
    }
  }
