import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { describeConfiguration } from '../../server/settings/describe-configuration.ts'
import { root } from './run-step.ts'

const folder = path.join(root, 'resources/deploy')
const chart = path.join(folder, 'helm/chat-gateway')
const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8')

interface Service {
  readonly image?: string
  readonly user?: string
  readonly read_only?: boolean
  readonly environment?: Record<string, string>
  readonly ports?: string[]
  readonly networks?: string[] | { inside: { ipv4_address: string } }
}

describe('what Compose is told', () => {
  const { services } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, Service>
  }

  it('is two gateways that differ in nothing a caller could see', () => {
    const [first, second] = ['gateway-1', 'gateway-2'].map((name) => services[name]!)
    expect(first!.environment).toEqual(second!.environment)
    expect(first!.read_only).toBe(true)
    expect(Object.keys(first!.environment!)).toEqual(
      expect.arrayContaining(['WEBUI_URL', 'TRUSTED_PROXIES', 'DATABASE_URL', 'REDIS_URL']),
    )
  })

  it('sets what the gateway reads, and nothing else', () => {
    const table = describeConfiguration()
    for (const name of Object.keys(services['gateway-1']!.environment!))
      expect(table, name).toContain(`\`${name}\``)
  })

  it('believes the one proxy and publishes nothing else', () => {
    const { nginx, ...others } = services
    const { inside } = nginx!.networks as { inside: { ipv4_address: string } }
    expect(services['gateway-1']!.environment!['TRUSTED_PROXIES']).toBe(inside.ipv4_address)
    expect(nginx!.ports).toHaveLength(1)
    expect(Object.values(others).every(({ ports }) => ports === undefined)).toBe(true)
  })

  it('names each secret as a variable that has to be there, and the example has it', () => {
    const text = read('compose.yaml')
    const named = [...text.matchAll(/\$\{([A-Z_\d]+):\?/g)].map(([, name]) => name!)
    const example = read('example.env')
    for (const name of [...new Set(named), 'PUBLISH']) expect(example).toMatch(`\n${name}=`)
    expect(text).not.toMatch(/(PASSWORD|SECRET\w*): ?['"]?[a-z\d]/i)
  })

  it('leads to gateways nginx knows', () => {
    const site = read('nginx/chat-gateway.conf')
    for (const name of ['gateway-1', 'gateway-2']) expect(site).toContain(`server ${name}:8642`)
  })
})

interface Manifest {
  readonly kind: string
  // oxlint-disable-next-line typescript/no-explicit-any -- read at any depth
  readonly spec: any
}

const hasHelm = spawnSync('helm', ['version', '--short']).status === 0
const NEEDED = [
  'webuiUrl=https://chat.example.org',
  'trustedProxies={10.0.0.0/8,192.0.2.7}',
  'existingSecret=keys',
]

function helm(command: string, values: readonly string[]): { status: number | null; text: string } {
  const given = values.flatMap((value) => ['--set', value])
  const names = command === 'template' ? ['chat'] : []
  const { status, stdout, stderr } = spawnSync('helm', [command, ...names, chart, ...given], {
    encoding: 'utf8',
  })
  return { status, text: stdout + stderr }
}

const render = (...values: string[]): Manifest[] => {
  const { status, text } = helm('template', [...NEEDED, ...values])
  if (status !== 0) throw new Error(text)
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest)
}

const find = (manifests: readonly Manifest[], kind: string): Manifest | undefined =>
  manifests.find((each) => each.kind === kind)

describe('the chart for Kubernetes', () => {
  it('has values its schema knows', () => {
    const values = parse(readFileSync(path.join(chart, 'values.yaml'), 'utf8')) as object
    const schema = JSON.parse(readFileSync(path.join(chart, 'values.schema.json'), 'utf8')) as {
      properties: object
    }
    const known = Object.keys(schema.properties).filter((key) => key !== 'global')
    expect(Object.keys(values).sort()).toEqual(known.sort())
  })

  it.skipIf(!hasHelm)('is fine in the eyes of Helm', () => {
    const { status, text } = helm('lint', NEEDED)
    expect([status, text]).toEqual([0, expect.stringContaining('0 chart(s) failed')])
  })

  it.skipIf(!hasHelm)('makes pods that are nobody’s root, are asked and told to stop', () => {
    const manifests = render('env.STORAGE_PROVIDER=s3', 'metrics.enabled=true')
    const { spec } = find(manifests, 'Deployment')!
    const pod = spec.template.spec
    const [gateway] = pod.containers
    expect(spec.replicas).toBe(2)
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001 })
    expect(gateway.securityContext).toMatchObject({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    })
    expect(gateway.livenessProbe.httpGet.path).toBe('/health')
    expect(gateway.readinessProbe.httpGet.path).toBe('/ready')
    expect(gateway.envFrom).toEqual([{ secretRef: { name: 'keys' } }])
    expect(gateway.env).toEqual([
      { name: 'WEBUI_URL', value: 'https://chat.example.org' },
      { name: 'TRUSTED_PROXIES', value: '10.0.0.0/8,192.0.2.7' },
      { name: 'SHUTDOWN_GRACE', value: '10' },
      { name: 'METRICS_ADDRESS', value: '0.0.0.0:9464' },
      { name: 'STORAGE_PROVIDER', value: 's3' },
    ])
    expect(pod.terminationGracePeriodSeconds).toBe(25)
    expect(find(manifests, 'PodDisruptionBudget')!.spec.maxUnavailable).toBe(1)
    expect(find(manifests, 'Ingress')).toBeUndefined()
    expect(find(manifests, 'Secret')).toBeUndefined()
  })

  it.skipIf(!hasHelm)('leads to them where an ingress is wanted', () => {
    const wanted = [
      'ingress.enabled=true',
      'ingress.host=chat.example.org',
      'ingress.tlsSecret=tls',
    ]
    const { spec } = find(render(...wanted), 'Ingress')!
    expect(spec.rules[0].host).toBe('chat.example.org')
    expect(spec.tls).toEqual([{ hosts: ['chat.example.org'], secretName: 'tls' }])
  })

  it.skipIf(!hasHelm)('keeps a single gateway with a disk of its own', () => {
    const manifests = render('replicaCount=1', 'existingClaim=disk')
    const { spec } = find(manifests, 'Deployment')!
    expect(spec.strategy).toEqual({ type: 'Recreate' })
    expect(spec.template.spec.volumes[0].persistentVolumeClaim).toEqual({ claimName: 'disk' })
    expect(find(manifests, 'PodDisruptionBudget')).toBeUndefined()
  })

  it.skipIf(!hasHelm).each([
    [[], 'webuiUrl'],
    [NEEDED.slice(0, 2), 'existingSecret'],
    [[...NEEDED, 'replicaCount=0'], 'replicaCount'],
    [[...NEEDED, 'existingClaim=disk'], 'replicaCount'],
    [[...NEEDED, 'ingress.enabled=true'], 'host'],
    [[...NEEDED, 'trustedProxies={everybody}'], 'trustedProxies'],
    [[...NEEDED, 'webuiUlr=misspelt'], 'webuiUlr'],
  ])('refuses %j', (values, words) => {
    const { status, text } = helm('template', values)
    expect(status).not.toBe(0)
    expect(text).toContain(words)
  })
})
