import { describe, expect, it } from 'vitest'
import {
  EDIT_NODE_TYPES,
  guessPlaces,
  NODE_TYPES,
  readPlaces,
  readWorkflow,
  withPlace,
  writePlaces,
  type WorkflowNode,
} from './workflow.ts'

/** A workflow as ComfyUI exports it, with the negative prompt before the positive one. */
const graph = {
  3: {
    class_type: 'KSampler',
    inputs: {
      seed: 1,
      steps: 20,
      model: ['4', 0],
      positive: ['8', 0],
      negative: ['6', 0],
      latent_image: ['5', 0],
    },
  },
  4: { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'a.safetensors' } },
  5: { class_type: 'EmptyLatentImage', inputs: { width: 512, height: 512, batch_size: 1 } },
  6: {
    class_type: 'CLIPTextEncode',
    inputs: { text: 'blurred', clip: ['4', 1] },
    _meta: { title: 'Not this' },
  },
  7: { class_type: 'CLIPTextEncode', inputs: { text: 'a boat', clip: ['4', 1] } },
  8: { class_type: 'FluxGuidance', inputs: { guidance: 3.5, conditioning: ['7', 0] } },
  9: { class_type: 'LoadImage', inputs: { image: 'in.png', upload: 'image' } },
}
const nodes = readWorkflow(JSON.stringify(graph)) as readonly WorkflowNode[]

describe('reading a workflow', () => {
  it('lists its nodes with the inputs that hold a value, by the names people gave them', () => {
    expect(nodes.find(({ id }) => id === '3')).toMatchObject({
      title: 'KSampler',
      inputs: ['seed', 'steps'],
    })
    expect(nodes.find(({ id }) => id === '6')?.title).toBe('Not this')
  })
  it.each([
    ['not json', 'noJson'],
    ['{"nodes":[{"id":1}],"links":[]}', 'wrongFormat'],
    ['{}', 'noNodes'],
    ['{"1":{"inputs":{}}}', 'noNodes'],
    ['[1]', 'noNodes'],
    ['null', 'noNodes'],
  ])('%s is refused as %s', (text, fault) => {
    expect(readWorkflow(text)).toBe(fault)
  })
})

describe('the first guess where values go', () => {
  it('follows the sampler back to the two prompts, through nodes between them', () => {
    const places = guessPlaces(nodes, NODE_TYPES)
    expect(
      Object.fromEntries(
        places.map(({ type, key, node_ids: ids }) => [type, `${ids.join()}.${key}`]),
      ),
    ).toEqual({
      prompt: '7.text',
      negative_prompt: '6.text',
      model: '4.ckpt_name',
      width: '5.width',
      height: '5.height',
      n: '5.batch_size',
      steps: '3.steps',
      seed: '3.seed',
    })
  })
  it('finds where the picture goes that is changed', () => {
    expect(guessPlaces(nodes, EDIT_NODE_TYPES)).toContainEqual({
      type: 'image',
      key: 'image',
      node_ids: ['9'],
    })
  })
  it('ends in a workflow whose nodes lead back to themselves', () => {
    const loop = {
      1: { class_type: 'A', inputs: { positive: ['2', 0], negative: ['2', 0] } },
      2: { class_type: 'B', inputs: { in: ['2', 0] } },
    }
    expect(
      guessPlaces(readWorkflow(JSON.stringify(loop)) as readonly WorkflowNode[], NODE_TYPES),
    ).toEqual([])
  })
})

describe('places', () => {
  const stored = '[{"type":"prompt","key":"text","node_ids":["6",7],"value":"x"},{"type":1},null]'
  it('are read with numbers as ids, and keep what this page does not know', () => {
    expect(readPlaces(stored)).toEqual([
      { type: 'prompt', key: 'text', node_ids: ['6', '7'], value: 'x' },
    ])
    expect(readPlaces('no list')).toEqual([])
  })
  it('get another node for a type, or none', () => {
    const changed = withPlace(readPlaces(stored), 'prompt', { key: 'prompt', ids: ['8'] })
    expect(JSON.parse(writePlaces(changed))).toEqual([
      { type: 'prompt', key: 'prompt', node_ids: ['8'], value: 'x' },
    ])
    expect(withPlace(changed, 'prompt', { key: '', ids: [] })).toEqual([])
  })
})
