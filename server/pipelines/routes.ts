import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { endpoints } from '#contract/endpoints.ts'
import { badRequest, notFound, ServiceError } from '../lib/errors.ts'
import { httpRoute, route, type Route } from '../lib/http.ts'
import { isRecord } from '../lib/is-record.ts'
import { readMultipart } from '../lib/serving/read-multipart.ts'
import type { Backend, Providers } from '../providers/index.ts'

/** Recognised by the models it lists. */
export const isPipelinesServer = (backend: Backend): boolean =>
  backend.models().some(({ model }) => model.pipeline !== undefined)

const table = endpoints.pipelines

interface RoutesDependencies {
  readonly providers: Providers
  readonly dataDir: string
}

interface Asked {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: string | Buffer
  readonly contentType?: string
}

const LARGEST_SOURCE = 16 * 1024 * 1024

/**
 * Forwards a request with the key of the connection; an error of the server is returned with its
 * status.
 */
async function ask(
  backend: Backend,
  { method, path: target, body, contentType }: Asked,
  signal: AbortSignal,
): Promise<unknown> {
  const headers = contentType === undefined ? {} : { headers: { 'content-type': contentType } }
  const { status, text } = await backend.ask(
    { method, path: target, body: body ?? null, ...headers },
    signal,
  )
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    throw new ServiceError(
      status >= 400 && status < 500 && status !== 401 ? status : 502,
      'The pipelines server gave no answer that can be read.',
    )
  }
  if (status < 400) return answer
  const said =
    isRecord(answer) && typeof answer['detail'] === 'string'
      ? answer['detail']
      : `The pipelines server answered ${status}.`
  throw new ServiceError(status === 401 || status >= 500 ? 502 : status, said, {
    code: 'pipelines_failed',
  })
}

/** Returns the form for uploading a source to a server. */
async function toForm(
  filename: string,
  bytes: Buffer,
): Promise<{ body: Buffer; contentType: string }> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)], { type: 'text/x-python' }), filename)
  const encoded = new Response(form)
  return {
    body: Buffer.from(await encoded.arrayBuffer()),
    contentType: encoded.headers.get('content-type')!,
  }
}

/** Marks the server's list of models as outdated afterwards. */
async function changing(backend: Backend, work: () => Promise<unknown>): Promise<unknown> {
  let answer: unknown
  await backend.change(async () => {
    answer = await work()
  })
  return answer
}

/** Receives a source and forwards it to the target server. */
const createUploadRoute = (dataDir: string, find: (place: number) => Backend): Route =>
  httpRoute(table.upload, async ({ request, response, signal, confirm }) => {
    const { file, fields } = await readMultipart(request, response, {
      fileField: 'file',
      limit: LARGEST_SOURCE,
      tooLarge: 'A pipeline may have 16 MiB at most.',
      checkName(filename) {
        if (!filename.toLowerCase().endsWith('.py'))
          throw badRequest('Only Python sources (.py) can be pipelines.')
      },
      newTemporaryFile: () => path.join(dataDir, `pipeline-${randomUUID()}.upload`),
    })
    try {
      await confirm()
      const place = Number(fields['urlIdx'])
      if (!Number.isSafeInteger(place))
        throw badRequest('Say in "urlIdx" which server the pipeline is for.')
      const backend = find(place)
      const form = await toForm(path.basename(file.filename), await readFile(file.path))
      return await changing(backend, () =>
        ask(backend, { method: 'POST', path: '/pipelines/upload', ...form }, signal),
      )
    } finally {
      await rm(file.path, { force: true })
    }
  })

const valvesOf = (id: string): string => `/${encodeURIComponent(id)}/valves`

const createValveRoutes = (find: (place: number | undefined) => Backend): Route[] => [
  route(table.valves, ({ params, query, signal }) =>
    ask(find(query.urlIdx), { method: 'GET', path: valvesOf(params.pipeline_id) }, signal),
  ),
  route(table.valvesSpec, ({ params, query, signal }) =>
    ask(
      find(query.urlIdx),
      { method: 'GET', path: `${valvesOf(params.pipeline_id)}/spec` },
      signal,
    ),
  ),
  route(table.updateValves, ({ params, query, body, signal }) =>
    ask(
      find(query.urlIdx),
      {
        method: 'POST',
        path: `${valvesOf(params.pipeline_id)}/update`,
        body: JSON.stringify(body),
      },
      signal,
    ),
  ),
]

export function createPipelineRoutes({ providers, dataDir }: RoutesDependencies): Route[] {
  /** Returns the server at an index of the list, or the first pipelines server. */
  function find(place: number | undefined): Backend {
    const all = providers.backends('compatible').filter(({ isUsable }) => isUsable)
    const found =
      place === undefined ? all.find(isPipelinesServer) : all.find(({ index }) => index === place)
    if (!found) throw notFound('There is no such pipelines server among the connections.')
    return found
  }

  return [
    route(table.servers, () => ({
      data: providers
        .backends('compatible')
        .filter((backend) => backend.isUsable && isPipelinesServer(backend))
        .map(({ url, index }) => ({ url, idx: index })),
    })),
    route(table.list, ({ query, signal }) =>
      ask(find(query.urlIdx), { method: 'GET', path: '/pipelines' }, signal),
    ),
    route(table.add, ({ body, signal }) => {
      const backend = find(body.urlIdx)
      const request: Asked = {
        method: 'POST',
        path: '/pipelines/add',
        body: JSON.stringify({ url: body.url }),
      }
      return changing(backend, () => ask(backend, request, signal))
    }),
    createUploadRoute(dataDir, find),
    route(table.remove, ({ body, signal }) => {
      const backend = find(body.urlIdx)
      const request: Asked = {
        method: 'DELETE',
        path: '/pipelines/delete',
        body: JSON.stringify({ id: body.id }),
      }
      return changing(backend, () => ask(backend, request, signal))
    }),
    ...createValveRoutes(find),
  ]
}
