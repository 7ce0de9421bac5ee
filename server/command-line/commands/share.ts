import type { SharingStatus } from '#contract/sharing.ts'
import { print, type Command, type CommandCall } from '../command.ts'
import { CommandError, EXIT } from '../command-error.ts'

const USAGE = 'on [--hours <n>] [--address <address,…>] | off | status'

const fail = (): never => {
  throw new CommandError(EXIT.usage, `Usage: chat-gateway share ${USAGE}`)
}

const toDay = (seconds: number): string => new Date(seconds * 1000).toLocaleString()

function toLines({
  on,
  ends_at,
  addresses,
  name,
  port,
  certificate,
  fault,
}: SharingStatus): string[] {
  if (!on) return ['Not shared: only this computer reaches the gateway.']
  const faults = addresses.flatMap((each) => (each.fault === null ? [] : [each.fault]))
  return [
    ...addresses.flatMap(({ url }) => (url === null ? [] : [url])),
    ...(name === null || port === null ? [] : [`https://${name}:${port}`]),
    ...(certificate ? [`Fingerprint (SHA-256) ${certificate.fingerprint}`] : []),
    ...(ends_at === null ? [] : [`Ends by itself at ${toDay(ends_at)}`]),
    ...faults,
    ...(fault === null ? [] : [fault]),
  ]
}

function readHours(text: string | undefined): number | null {
  if (text === undefined) return null
  const hours = Number(text)
  return Number.isFinite(hours) && hours > 0 ? hours : fail()
}

async function act(call: CommandCall, word: string): Promise<SharingStatus> {
  const { hours, address } = call.options as { hours?: string; address?: string }
  const client = await call.connect()
  if (word === 'off') return client.post('/api/v1/sharing/off')
  if (word === 'status') return client.get('/api/v1/sharing')
  return client.post('/api/v1/sharing/on', {
    hours: readHours(hours),
    ...(address !== undefined && { addresses: address.split(',').map((each) => each.trim()) }),
  })
}

export const share: Command = {
  name: 'share',
  usage: USAGE,
  summary: 'Opens the gateway to devices of your network over HTTPS, or closes it.',
  options: { hours: { type: 'string' }, address: { type: 'string' } },
  async run(call) {
    const [word = '', ...rest] = call.words
    if (!['on', 'off', 'status'].includes(word) || rest.length > 0) fail()
    if (call.options['hours'] !== undefined) readHours(String(call.options['hours']))
    const status = await act(call, word)
    print(call, status, toLines(status).join('\n'))
    return word === 'status' && !status.on ? EXIT.failed : EXIT.ok
  },
}
