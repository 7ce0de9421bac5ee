import { startFakeCompatible } from '../../server/testing/fake-upstream/fake-compatible.ts'
import { fillLists, LARGE_LISTS, type Asker } from './large-lists.ts'
import {
  measureRounds,
  startMeasuredGateway,
  type LoopFigures,
  type MeasuredGateway,
} from './measured-gateway.ts'

/** Effect of one very long list on the event loop. */
export interface LargeListFigures extends LoopFigures {
  readonly name: string
  readonly status: number
}

type Headers = Readonly<Record<string, string>>

const SCIM_TOKEN = 'the-token-of-the-directory'
const ENVIRONMENT = { ENABLE_CHANNELS: 'true', ENABLE_SCIM: 'true', SCIM_TOKEN }
const MEMBER = { name: 'Member', email: 'member@example.com', password: 'a password of a member' }

/**
 * Returns the headers of each kind of caller; the member is created before the lists are filled.
 */
async function signIn({ url, headers }: MeasuredGateway): Promise<Record<Asker, Headers>> {
  const response = await fetch(`${url}/api/v1/auths/add`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ ...MEMBER, role: 'user' }),
  })
  const { token } = (await response.json()) as { token: string }
  const as = (value: string): Headers => ({ ...headers, Authorization: `Bearer ${value}` })
  return { administrator: headers, member: as(token), directory: as(SCIM_TOKEN) }
}

/** Changes a group and a model, so that their cached data is read again. */
async function change({ url, headers }: MeasuredGateway): Promise<void> {
  const calls = [
    ['/api/v1/groups/create', { name: 'Another', description: '' }],
    ['/api/v1/models/model/toggle?id=model-1', {}],
  ] as const
  for (const [path, body] of calls) {
    const request = { method: 'POST', headers, body: JSON.stringify(body) }
    await (await fetch(url + path, request)).arrayBuffer()
  }
}

/** Requests each list several times and measures its effect on the loop. */
export async function* measureLargeLists(
  wanted: (name: string) => boolean = () => true,
): AsyncGenerator<LargeListFigures, void> {
  const upstream = await startFakeCompatible({ models: ['short'] })
  const gateway = await startMeasuredGateway(upstream.url, { environment: ENVIRONMENT })
  try {
    const askers = await signIn(gateway)
    fillLists(gateway)
    // The cached groups were read before these existed.
    await change(gateway)
    const account = await fetch(`${gateway.url}/api/v1/auths/`, { headers: gateway.headers })
    const { id } = (await account.json()) as { id: string }
    for (const [name, method, path, body, asker = 'administrator'] of LARGE_LISTS) {
      if (!wanted(name)) continue
      const request = {
        method,
        headers: askers[asker],
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }
      let status = 0
      const figures = await measureRounds(gateway, async () => {
        if (name.endsWith('after a change')) await change(gateway)
        const response = await fetch(gateway.url + path.replace('USER', id), request)
        await response.arrayBuffer()
        status = response.status
      })
      yield { name, status, ...figures }
    }
  } finally {
    await gateway.stop()
    await upstream.close()
  }
}
