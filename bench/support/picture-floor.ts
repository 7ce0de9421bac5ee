// The minimum of a gateway that only does with a picture what no proxy does: decodes the base64 of
// the answer, stores it in a file, returns its URL, and reads the file back.
import { createReadStream, writeFileSync } from 'node:fs'
import { Agent, createServer, request as send, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'

const [port] = process.argv.slice(2).map(Number)
const file = path.join(tmpdir(), `bench-picture-${process.pid}`)
const agent = new Agent({ keepAlive: true })
const KEY = '"b64_json":"'

function store(outgoing: ServerResponse, answer: Buffer): void {
  const from = answer.indexOf(KEY) + KEY.length
  const bytes = Buffer.from(answer.toString('latin1', from, answer.indexOf('"', from)), 'base64')
  writeFileSync(file, bytes, { flush: true })
  outgoing.writeHead(200, { 'Content-Type': 'application/json' }).end('[{"url":"/picture"}]')
}

const server = createServer({ keepAliveTimeout: 60_000, noDelay: true }, (incoming, outgoing) => {
  const { method, url, headers } = incoming
  if (method === 'GET') return createReadStream(file).pipe(outgoing)
  const upstream = send({ agent, host: '127.0.0.1', port, method, path: url, headers }, (reply) => {
    const parts: Buffer[] = []
    reply.on('data', (part: Buffer) => void parts.push(part))
    reply.on('end', () => store(outgoing, Buffer.concat(parts)))
  })
  return incoming.pipe(upstream)
})
server.listen(0, '127.0.0.1', () =>
  process.send!({ port: (server.address() as { port: number }).port }),
)
process.on('disconnect', () => process.exit(0))
