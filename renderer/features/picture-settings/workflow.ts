import { toFields } from '../../lib/fields.ts'

/** A node of a ComfyUI workflow in its API format. */
export interface WorkflowNode {
  readonly id: string
  readonly kind: string
  /** Title given by its author; otherwise its type. */
  readonly title: string
  /** Inputs that contain a value rather than a link from another node. */
  readonly inputs: readonly string[]
  /** Source nodes of the linked inputs, by input. */
  readonly from: Readonly<Record<string, string>>
}

/** Position where a value of a call is inserted in a workflow. */
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
 * Parses a workflow; one in the editor's format instead of the API format has a separate error,
 * since uploading it is a common mistake.
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

/** Parses the stored positions; invalid ones are left out. */
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

/** Returns the positions with the one of a type replaced; without nodes it is removed. */
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

/** Returns the usual input of a node for a type; otherwise its first one. */
export const usualInput = (node: WorkflowNode, type: NodeType): string =>
  USUAL_INPUTS[type].find((input) => node.inputs.includes(input)) ?? node.inputs[0] ?? ''

/** Follows one input back to a node that accepts text. */
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

/** Guesses the positions of the values from the usual names and links of nodes. */
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
