/** A node of a ComfyUI workflow in its API format. */
export interface WorkflowNode {
  readonly id: string
  readonly kind: string
  /** What somebody called it; its kind otherwise. */
  readonly title: string
  /** Inputs that hold a value, not the way from another node. */
  readonly inputs: readonly string[]
  /** Nodes other inputs come from, by the input. */
  readonly from: Readonly<Record<string, string>>
}

/** Where a value of a call goes in a workflow. */
export interface NodePlace {
  readonly type: string
  readonly key: string
  readonly node_ids: readonly string[]
  readonly [more: string]: unknown
}

export const NODE_TYPES = Object.freeze([
  'prompt',
  'negative_prompt',
  'model',
  'width',
  'height',
  'n',
  'steps',
  'seed',
] as const)
export const EDIT_NODE_TYPES = Object.freeze(['image', ...NODE_TYPES] as const)
export type NodeType = (typeof EDIT_NODE_TYPES)[number]

export type WorkflowFault = 'noJson' | 'wrongFormat' | 'noNodes'

type Fields = Readonly<Record<string, unknown>>
const toFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

function toNode(id: string, value: unknown): WorkflowNode | null {
  const { class_type: kind, inputs, _meta: meta } = toFields(value)
  if (typeof kind !== 'string') return null
  const { title } = toFields(meta)
  const rows = Object.entries(toFields(inputs))
  return {
    id,
    kind,
    title: typeof title === 'string' && title !== '' ? title : kind,
    inputs: rows.filter(([, input]) => !Array.isArray(input)).map(([name]) => name),
    from: Object.fromEntries(
      rows.flatMap(([name, input]) => (Array.isArray(input) ? [[name, String(input[0])]] : [])),
    ),
  }
}

/**
 * Reads a workflow; one saved for the editor instead of for programs is a fault of its own, since
 * that is what people upload first.
 */
export function readWorkflow(text: string): readonly WorkflowNode[] | WorkflowFault {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return 'noJson'
  }
  const fields = toFields(parsed)
  if (Array.isArray(fields['nodes'])) return 'wrongFormat'
  const nodes = Object.entries(fields).flatMap(([id, value]) => toNode(id, value) ?? [])
  return nodes.length === 0 ? 'noNodes' : nodes
}

/** The places as they are stored; whatever is no place is left out. */
export function readPlaces(text: string): readonly NodePlace[] {
  try {
    const rows: unknown = JSON.parse(text)
    return (Array.isArray(rows) ? rows : []).flatMap((row) => {
      const { type, key, node_ids: ids, ...rest } = toFields(row)
      if (typeof type !== 'string') return []
      return [
        {
          ...rest,
          type,
          key: typeof key === 'string' ? key : '',
          node_ids: Array.isArray(ids) ? ids.map(String) : [],
        },
      ]
    })
  } catch {
    return []
  }
}

/** The places with another one for a type; without nodes there is none. */
export function withPlace(
  places: readonly NodePlace[],
  type: string,
  place: { readonly key: string; readonly ids: readonly string[] },
): readonly NodePlace[] {
  const before = places.find((each) => each.type === type)
  const others = places.filter((each) => each.type !== type)
  return place.ids.length === 0
    ? others
    : [...others, { ...before, type, key: place.key, node_ids: place.ids }]
}

export const writePlaces = (places: readonly NodePlace[]): string => JSON.stringify(places, null, 2)

const USUAL_INPUTS: Readonly<Record<NodeType, readonly string[]>> = {
  image: ['image'],
  prompt: ['text', 'prompt'],
  negative_prompt: ['text', 'prompt'],
  model: ['ckpt_name', 'unet_name', 'model_name'],
  width: ['width'],
  height: ['height'],
  n: ['batch_size'],
  steps: ['steps'],
  seed: ['seed', 'noise_seed'],
}

/** The input of a node a type usually goes into; the first one otherwise. */
export const usualInput = (node: WorkflowNode, type: NodeType): string =>
  USUAL_INPUTS[type].find((input) => node.inputs.includes(input)) ?? node.inputs[0] ?? ''

/** Follows one input back to a node that takes a text. */
function findText(
  nodes: readonly WorkflowNode[],
  start: string | undefined,
): WorkflowNode | undefined {
  const seen = new Set<string>()
  let node = nodes.find(({ id }) => id === start)
  while (node && !seen.has(node.id)) {
    if (USUAL_INPUTS.prompt.some((input) => node!.inputs.includes(input))) return node
    seen.add(node.id)
    const next = node.from['conditioning'] ?? Object.values(node.from)[0]
    node = nodes.find(({ id }) => id === next)
  }
  return undefined
}

/**
 * A first guess where the values go, from what nodes are usually called and how they hang together.
 */
export function guessPlaces(
  nodes: readonly WorkflowNode[],
  types: readonly NodeType[],
): readonly NodePlace[] {
  const sampler = nodes.find(({ from }) => 'positive' in from && 'negative' in from)
  const withInput = (type: NodeType): WorkflowNode | undefined =>
    nodes.find(({ inputs }) => USUAL_INPUTS[type].some((input) => inputs.includes(input)))
  const nodeFor = (type: NodeType): WorkflowNode | undefined => {
    if (type === 'prompt') return findText(nodes, sampler?.from['positive']) ?? withInput('prompt')
    if (type === 'negative_prompt') return findText(nodes, sampler?.from['negative'])
    if (type === 'image')
      return nodes.find(({ kind }) => kind.startsWith('LoadImage')) ?? withInput('image')
    return withInput(type)
  }
  return types.flatMap((type) => {
    const node = nodeFor(type)
    return node ? [{ type, key: usualInput(node, type), node_ids: [node.id] }] : []
  })
}
