// Calls a provider at another address through a separate gateway, and writes the gateway's list of
// these connections to a file; for `.ci/prove-sealed`, which compares it with the network traffic.
import { writeFileSync } from 'node:fs'
import type { OutgoingConnection } from '../server/contract/outgoing-connections.ts'
import { createAdmin } from './accounts.ts'
import { startGateway } from './start-gateway.ts'

const [provider = '', file = ''] = process.argv.slice(2)
const CALLS = 5
const [host = '', port = ''] = provider.split(':')
/** A program that calls the provider by itself, and waits until what it sent has been counted. */
const PROGRAM = `
import socket, time
s = socket.create_connection(("${host}", ${port}))
s.sendall(b"GET /v1/models HTTP/1.0\\r\\n\\r\\n")
s.recv(100)
time.sleep(1.5)
`

const gateway = await startGateway({
  OPENAI_API_BASE_URLS: `http://${provider}/v1`,
  OPENAI_API_KEYS: 'sk-scripted',
})
try {
  const headers = {
    Authorization: `Bearer ${await createAdmin(gateway)}`,
    'Content-Type': 'application/json',
  }
  const read = async (path: string, body?: unknown): Promise<unknown> => {
    const reply = await fetch(`${gateway.url}${path}`, {
      headers,
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`)
    return reply.json()
  }
  const callByProgram = async (): Promise<void> => {
    const { connections } = (await read('/api/v1/tool_servers/import', {
      mcpServers: { program: { command: 'python3', args: ['-c', PROGRAM] } },
    })) as { connections: unknown[] }
    // It is no tool server, which the gateway says once it has ended.
    await read('/api/v1/configs/tool_servers/verify', connections[0]).catch(() => null)
  }
  await read('/api/v1/models?refresh=true')
  const messages = [{ role: 'user', content: 'Hello' }]
  const ask = () => read('/api/v1/chat/completions', { model: 'scripted', messages, stream: false })
  await Promise.all(Array.from({ length: CALLS }, ask))
  await ask()
  await callByProgram()
  const { items } = (await read('/api/v1/outgoing?limit=500')) as { items: OutgoingConnection[] }
  writeFileSync(file, JSON.stringify(items, null, 2))
} finally {
  await gateway.stop()
}
