import { startFakeCompatible } from '../../server/testing/fake-upstream/fake-compatible.ts'
import { fillLists, LARGE_LISTS } from './large-lists.ts'
import { startMeasuredGateway, type LoopFigures } from './measured-gateway.ts'

/** What one list of very many things did to the event loop. */
export interface LargeListFigures extends LoopFigures {
  readonly name: string
  readonly status: number
}

/** Asks for each list and measures what it does to the loop. */
export async function* measureLargeLists(): AsyncGenerator<LargeListFigures, void> {
  const upstream = await startFakeCompatible({ models: ['short'] })
  const gateway = await startMeasuredGateway(upstream.url)
  try {
    fillLists(gateway)
    const account = await fetch(`${gateway.url}/api/v1/auths/`, { headers: gateway.headers })
    const { id } = (await account.json()) as { id: string }
    for (const [name, method, path, body] of LARGE_LISTS) {
      gateway.begin()
      const request = {
        method,
        headers: gateway.headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }
      const response = await fetch(gateway.url + path.replace('USER', id), request)
      await response.arrayBuffer()
      yield { name, status: response.status, ...(await gateway.end()) }
    }
  } finally {
    await gateway.stop()
    await upstream.close()
  }
}
