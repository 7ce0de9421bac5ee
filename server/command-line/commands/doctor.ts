import type { Connection } from '#contract/connections.ts'
import { DOCTOR_STEPS, type DoctorFinding } from '#contract/doctor.ts'
import { print, type Command, type CommandCall } from '../command.ts'
import { CommandError, EXIT } from '../command-error.ts'
import {
  checkDatabase,
  checkDiscovery,
  checkFiles,
  checkFolder,
  checkSpace,
  type Finding,
} from '../check-data-folder.ts'
import { findGateway } from '../find-gateway.ts'
import type { GatewayClient } from '../gateway-client.ts'

const MARKS: Record<Finding['verdict'], string> = {
  good: 'ok     ',
  look: 'look   ',
  bad: 'PROBLEM',
}

const toLine = ({ verdict, name, text, advice }: Finding): string =>
  `${MARKS[verdict]} ${name}: ${text}${advice ? `\n        → ${advice}` : ''}`

/**
 * Collects findings that require a running gateway: its database and the state of its connections.
 */
async function askGateway(call: CommandCall): Promise<Finding[]> {
  try {
    const client = await call.connect()
    await client.get('/health/db')
    const answers: Finding = {
      verdict: 'good',
      name: 'Gateway',
      text: `answers at ${client.gateway.url}, and its database does`,
    }
    // Requesting the models makes the gateway try its connections.
    await client.get('/api/models?refresh=true')
    const { WEBUI_URL } = await client.get<{ WEBUI_URL: string }>('/api/v1/auths/admin/config')
    return [answers, judgeAddress(WEBUI_URL), ...(await examineConnections(client))]
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    const verdict = error.exitCode === EXIT.notPermitted ? 'look' : 'bad'
    return [{ verdict, name: 'Gateway', text: error.message }]
  }
}

function judgeAddress(publicUrl: string): Finding {
  if (publicUrl !== '')
    return { verdict: 'good', name: 'Address', text: `browsers reach it at ${publicUrl} too` }
  const advice =
    'Set WEBUI_URL to the address they use when they come through a proxy, a tunnel or the published port of a container.'
  return {
    verdict: 'good',
    name: 'Address',
    text: 'browsers reach it only under the addresses it listens on',
    advice,
  }
}

async function examineConnections(client: GatewayClient): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const connection of await client.get<Connection[]>('/api/v1/connections'))
    findings.push((await findCause(client, connection)) ?? judgeConnection(connection))
  return findings
}

/** Lets the gateway diagnose a failing connection step by step; null if no step is to blame. */
async function findCause(client: GatewayClient, connection: Connection): Promise<Finding | null> {
  const { name, url, enabled, state } = connection
  if (!enabled || state.status === 'ok') return null
  for (const step of DOCTOR_STEPS) {
    const found = await client.post<DoctorFinding>('/api/v1/connections/examine', {
      ...connection,
      step,
    })
    if (found.verdict !== 'bad') continue
    const text = `${url}: ${found.text}`
    return { verdict: 'look', name, text, ...(found.advice && { advice: found.advice }) }
  }
  return null
}

function judgeConnection({ name, url, enabled, state }: Connection): Finding {
  if (!enabled) return { verdict: 'look', name, text: `${url} is switched off` }
  if (state.status === 'ok')
    return { verdict: 'good', name, text: `${url} answers with ${state.model_count} models` }
  const advice =
    state.detail ?? 'Check that it runs; Settings → Connection check names the step that fails.'
  return { verdict: 'look', name, text: `${url} does not answer`, advice }
}

export const doctor: Command = {
  name: 'doctor',
  usage: '',
  summary:
    'Checks data folder, files, database and connections, and suggests remedies. Exits with 1 on a fault.',
  async run(call) {
    const gateway = findGateway(call.dataDirs)
    const dataDir = gateway?.dataDir ?? call.dataDirs[0]!
    const folder = checkFolder(dataDir)
    const findings = [
      folder,
      ...(folder.verdict === 'bad'
        ? []
        : [...checkFiles(dataDir), checkSpace(dataDir), checkDiscovery(dataDir)]),
    ]
    if (gateway) findings.push(...(await askGateway(call)))
    else if (folder.verdict !== 'bad') findings.push(await checkDatabase(dataDir))
    const isBroken = findings.some(({ verdict }) => verdict === 'bad')
    print(call, { broken: isBroken, findings }, findings.map(toLine).join('\n'))
    return isBroken ? EXIT.failed : EXIT.ok
  },
}
