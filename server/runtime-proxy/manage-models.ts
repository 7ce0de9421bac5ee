import { type Backend, serializeBody } from '../providers/index.ts'
import type { NativeCall } from './relay-native.ts'
import type { Target, Targets } from './targets.ts'

/**
 * Returns the runtime's own name of a model that the caller named with the prefix of its
 * connection.
 */
const withoutPrefix = ({ prefix }: Backend, name: string): string =>
  prefix !== '' && name.startsWith(`${prefix}.`) ? name.slice(prefix.length + 1) : name

const nameOf = ({ body }: NativeCall): string => body.model ?? body.name ?? ''

interface Management {
  readonly method?: 'POST' | 'DELETE'
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

/** Relays a call that changes the installed models, and refreshes the list afterwards. */
async function relayManagement(
  backend: Backend,
  call: NativeCall,
  { method = 'POST', path, body }: Management,
): Promise<undefined> {
  const { response, signal } = call
  const request = {
    method,
    path,
    body: await serializeBody(body),
    isWhole: body['stream'] === false,
  }
  await backend.change(() => backend.relay(request, { response, signal }))
}

function toBody({ body }: NativeCall, model: string): Record<string, unknown> {
  const { name: _, ...rest } = body
  return { ...rest, model }
}

/** Relays calls that create a model, which need not exist yet: `pull` and `create`. */
export function makeModel(targets: Targets, call: NativeCall, path: string): Promise<undefined> {
  const backend = targets.one('runtime', call.params?.url_idx)
  return relayManagement(backend, call, {
    path,
    body: toBody(call, withoutPrefix(backend, nameOf(call))),
  })
}

const findFirst = async (targets: Targets, call: NativeCall, model: string): Promise<Target> => {
  const [first] = await targets.ofModel('runtime', {
    caller: call.caller,
    model,
    index: call.params?.url_idx,
  })
  return first!
}

/** Relays calls about an installed model: `push` and `delete`. */
export async function changeModel(
  targets: Targets,
  call: NativeCall,
  target: Omit<Management, 'body'>,
): Promise<undefined> {
  const { backend, modelId } = await findFirst(targets, call, nameOf(call))
  return relayManagement(backend, call, { ...target, body: toBody(call, modelId) })
}

/** Copies an installed model inside its runtime. */
export async function copyModel(
  targets: Targets,
  call: NativeCall & { body: { source: string; destination: string } },
): Promise<undefined> {
  const { source, destination } = call.body
  const { backend, modelId } = await findFirst(targets, call, source)
  const body = { source: modelId, destination: withoutPrefix(backend, destination) }
  return relayManagement(backend, call, { path: '/api/copy', body })
}

/** Frees the memory of a model on every runtime that has it. */
export async function unloadModel(targets: Targets, call: NativeCall): Promise<{ status: true }> {
  const found = await targets.ofModel('runtime', { caller: call.caller, model: nameOf(call) })
  const unload = ({ backend, modelId }: Target): Promise<unknown> => {
    const canOnlyEmbed = backend
      .models()
      .some(({ model }) => model.id === modelId && model.embedsOnly)
    const body = {
      model: modelId,
      keep_alive: 0,
      ...(canOnlyEmbed ? { input: '' } : { stream: false }),
    }
    return backend.control(
      { method: 'POST', path: canOnlyEmbed ? '/api/embed' : '/api/generate', body },
      call.signal,
    )
  }
  await Promise.all(found.map(unload))
  return { status: true }
}
