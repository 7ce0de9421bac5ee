import { createRequire } from 'node:module'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OutgoingConnection, OutgoingStatus } from '#contract/outgoing-connections.ts'
import { pluginPython } from '../testing/plugin-python.ts'
import { callTool, say, startPlugins, type PluginServer } from '../testing/start-plugins.ts'

const require = createRequire(import.meta.url)
/** A published tool server, one tool of which fetches a file. */
const EVERYTHING = path.join(
  path.dirname(require.resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
)
/** This address is unassigned (RFC 5737), so that a call to it fails, after it is listed. */
const ELSEWHERE = '192.0.2.7'

const CALLING = `import socket, subprocess, sys

class Tools:
    def call_out(self) -> str:
        """Connects to another computer, and has a child do so."""
        code = "import socket; s = socket.socket(); s.setblocking(False); s.connect_ex(('${ELSEWHERE}', PORT))"
        exec(code.replace("PORT", "81"))
        subprocess.run([sys.executable, "-I", "-c", code.replace("PORT", "82")])
        return "called"
`

describe.skipIf(pluginPython === null || process.platform !== 'linux')(
  'the list of outgoing connections',
  () => {
    let plugins: PluginServer
    beforeAll(async () => {
      plugins = await startPlugins()
    }, 60_000)
    afterAll(() => plugins.close())

    const list = async (): Promise<Partial<OutgoingConnection>[]> => {
      const { items } = (await plugins.api('GET', 'outgoing?limit=500')) as {
        items: OutgoingConnection[]
      }
      return items
        .filter(({ host }) => host === ELSEWHERE)
        .map(({ port, address, purpose, name }) => ({ port, address, purpose, name }))
    }
    const unseen = async () =>
      ((await plugins.api('GET', 'outgoing/status')) as OutgoingStatus).unseen

    test('contains those of a plugin and of its children, by the name of the plugin', async () => {
      await plugins.createTool('calling', CALLING)
      plugins.rounds([callTool('call_out')], [say('Done.')])
      await plugins.complete({ tool_ids: ['calling'] })
      expect(plugins.toolTexts()).toEqual(['called'])
      const entry = { address: ELSEWHERE, purpose: 'plugin', name: 'calling' }
      await expect
        .poll(list)
        .toEqual(expect.arrayContaining([81, 82].map((port) => ({ ...entry, port }))))
      expect(await unseen()).toEqual(['windows'])
    }, 120_000)

    test('contains those of a tool server that is a program, by the name of the server', async () => {
      const server = {
        id: 'everything',
        name: 'Everything',
        type: 'mcp',
        command: process.execPath,
        args: [EVERYTHING],
        env: { GZIP_MAX_FETCH_TIME_MILLIS: '300', GZIP_ALLOWED_DOMAINS: ELSEWHERE },
      }
      const read = (await plugins.api('POST', 'tool_servers/import', {
        mcpServers: { everything: server },
      })) as { connections: unknown[] }
      await plugins.api('POST', 'configs/tool_servers', {
        TOOL_SERVER_CONNECTIONS: read.connections,
      })
      const file = { name: 'x.gz', data: `http://${ELSEWHERE}:83/x`, outputType: 'resource' }
      plugins.rounds([callTool('everything_gzip-file-as-resource', file)], [say('Done.')])
      await plugins.complete({ tool_ids: ['server:mcp:everything'] })
      await expect.poll(list).toContainEqual({
        port: 83,
        address: ELSEWHERE,
        purpose: 'tool_server',
        name: 'everything',
      })
      expect(await unseen()).toEqual(['windows'])
    }, 120_000)
  },
)
