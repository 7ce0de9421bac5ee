import { workflowNodesSchema } from '#contract/images.ts'
import { z } from '#contract/lazy-zod.ts'
import { address, foundBy, integer, json, secret, text, toggle } from '../rows.ts'
import type { SettingDefinition, SettingTexts } from '../setting-definition.ts'

const OBJECT = { schema: z.record(z.string(), z.unknown()), words: 'a JSON object' }
const NODES = { schema: workflowNodesSchema, words: 'a JSON list of {"type", "key", "node_ids"}' }

/** The default workflow of ComfyUI: from text to one image. */
const WORKFLOW = JSON.stringify({
  3: {
    class_type: 'KSampler',
    inputs: {
      seed: 0,
      steps: 20,
      cfg: 8,
      sampler_name: 'euler',
      scheduler: 'normal',
      denoise: 1,
      model: ['4', 0],
      positive: ['6', 0],
      negative: ['7', 0],
      latent_image: ['5', 0],
    },
  },
  4: { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'model.safetensors' } },
  5: { class_type: 'EmptyLatentImage', inputs: { width: 512, height: 512, batch_size: 1 } },
  6: { class_type: 'CLIPTextEncode', inputs: { text: '', clip: ['4', 1] } },
  7: { class_type: 'CLIPTextEncode', inputs: { text: '', clip: ['4', 1] } },
  8: { class_type: 'VAEDecode', inputs: { samples: ['3', 0], vae: ['4', 2] } },
  9: { class_type: 'SaveImage', inputs: { filename_prefix: 'chat', images: ['8', 0] } },
})

/** Nodes for the values of a call in that workflow. */
const WORKFLOW_NODES = JSON.stringify([
  { type: 'prompt', key: 'text', node_ids: ['6'] },
  { type: 'negative_prompt', key: 'text', node_ids: ['7'] },
  { type: 'model', key: 'ckpt_name', node_ids: ['4'] },
  { type: 'width', key: 'width', node_ids: ['5'] },
  { type: 'height', key: 'height', node_ids: ['5'] },
  { type: 'n', key: 'batch_size', node_ids: ['5'] },
  { type: 'steps', key: 'steps', node_ids: ['3'] },
  { type: 'seed', key: 'seed', node_ids: ['3'] },
])

const params = <Key extends string>(key: Key, texts: SettingTexts) =>
  json(key, '{}', { json: OBJECT, ...texts })
const ENGINES = 'openai, chat, automatic1111, comfyui or gemini'
const SIZE = 'Width and height such as 512x512; empty leaves it to the engine'

const making = foundBy('picture', [
  toggle('ENABLE_IMAGE_GENERATION', false, {
    name: 'Create images',
    searchWords: 'picture generation draw',
    help: 'Lets people create images.',
  }),
  toggle('ENABLE_IMAGE_PROMPT_GENERATION', true, {
    name: 'Let a model describe the image',
    searchWords: 'picture prompt',
    help: 'Lets the task model write the prompt from the conversation before an image is created.',
  }),
  text('IMAGE_GENERATION_ENGINE', 'openai', {
    name: 'Image engine',
    help: `What makes pictures: ${ENGINES}.`,
  }),
  text('IMAGE_GENERATION_MODEL', '', {
    name: 'Image model',
    help: 'Model that makes pictures.',
  }),
  text('IMAGE_SIZE', '512x512', {
    name: 'Image size',
    help: `${SIZE}, and auto lets models decide that can.`,
  }),
  integer('IMAGE_STEPS', 50, [0, 1000], {
    name: 'Steps per image',
    help: 'Number of steps, for engines that use them.',
  }),
  address('IMAGES_OPENAI_API_BASE_URL', 'https://api.openai.com/v1', {
    name: 'Image address (OpenAI style)',
    help: 'Endpoint of engine openai and chat, without /images.',
  }),
  secret('IMAGES_OPENAI_API_KEY', {
    name: 'Image API key (OpenAI style)',
    help: 'Key of that endpoint.',
  }),
  text('IMAGES_OPENAI_API_VERSION', '', {
    name: 'Image API version (OpenAI style)',
    help: 'Sent to it as `api-version`, for deployments that want one.',
  }),
  params('IMAGES_OPENAI_API_PARAMS', {
    name: 'Additional image parameters (OpenAI style)',
    help: 'Further parameters for it, such as {"quality": "high"}.',
  }),
  address('AUTOMATIC1111_BASE_URL', '', {
    name: 'AUTOMATIC1111 address',
    searchWords: 'picture stable diffusion',
    help: 'Address of the AUTOMATIC1111 server.',
  }),
  secret('AUTOMATIC1111_API_AUTH', {
    name: 'AUTOMATIC1111 sign-in',
    searchWords: 'picture stable diffusion',
    help: 'Its user name and password as user:password.',
  }),
  params('AUTOMATIC1111_PARAMS', {
    name: 'AUTOMATIC1111 parameters',
    searchWords: 'picture stable diffusion',
    help: 'Further parameters for it, such as {"cfg_scale": 7}.',
  }),
  address('COMFYUI_BASE_URL', '', {
    name: 'ComfyUI address',
    help: 'Address of the ComfyUI server.',
  }),
  secret('COMFYUI_API_KEY', {
    name: 'ComfyUI API key',
    help: 'Its key, sent as a bearer token.',
  }),
  json('COMFYUI_WORKFLOW', WORKFLOW, {
    name: 'ComfyUI workflow',
    json: OBJECT,
    help: 'Workflow that creates images, in API format.',
  }),
  json('COMFYUI_WORKFLOW_NODES', WORKFLOW_NODES, {
    name: 'ComfyUI workflow nodes',
    json: NODES,
    help: 'Where the values go in the workflow.',
  }),
  address('IMAGES_GEMINI_API_BASE_URL', 'https://generativelanguage.googleapis.com/v1beta', {
    name: 'Image address (Gemini)',
    searchWords: 'picture google',
    help: 'Address of the Gemini API.',
  }),
  secret('IMAGES_GEMINI_API_KEY', {
    name: 'Image API key (Gemini)',
    searchWords: 'picture google',
    help: 'Its key.',
  }),
  text('IMAGES_GEMINI_ENDPOINT_METHOD', '', {
    name: 'Image method (Gemini)',
    searchWords: 'picture google',
    help: 'predict or generateContent; empty goes by the model.',
  }),
])

const editing = foundBy('picture', [
  toggle('ENABLE_IMAGE_EDIT', false, {
    name: 'Edit images',
    help: 'Lets people edit images.',
  }),
  text('IMAGE_EDIT_ENGINE', 'openai', {
    name: 'Image editing engine',
    help: `What edits pictures: ${ENGINES}.`,
  }),
  text('IMAGE_EDIT_MODEL', '', {
    name: 'Image editing model',
    help: 'Model that edits pictures.',
  }),
  text('IMAGE_EDIT_SIZE', '', {
    name: 'Edited image size',
    help: `${SIZE}.`,
  }),
  address('IMAGES_EDIT_OPENAI_API_BASE_URL', 'https://api.openai.com/v1', {
    name: 'Image editing address (OpenAI style)',
    help: 'Endpoint of engine openai and chat for edits.',
  }),
  secret('IMAGES_EDIT_OPENAI_API_KEY', {
    name: 'Image editing API key (OpenAI style)',
    help: 'Key of that endpoint.',
  }),
  text('IMAGES_EDIT_OPENAI_API_VERSION', '', {
    name: 'Image editing API version (OpenAI style)',
    help: 'Sent to it as `api-version`.',
  }),
  address('IMAGES_EDIT_GEMINI_API_BASE_URL', 'https://generativelanguage.googleapis.com/v1beta', {
    name: 'Image editing address (Gemini)',
    searchWords: 'picture google',
    help: 'Address of the Gemini API for edits.',
  }),
  secret('IMAGES_EDIT_GEMINI_API_KEY', {
    name: 'Image editing API key (Gemini)',
    searchWords: 'picture google',
    help: 'Its key.',
  }),
  address('IMAGES_EDIT_COMFYUI_BASE_URL', '', {
    name: 'Image editing address (ComfyUI)',
    help: 'Address of the ComfyUI server for edits.',
  }),
  secret('IMAGES_EDIT_COMFYUI_API_KEY', {
    name: 'Image editing API key (ComfyUI)',
    help: 'Its key.',
  }),
  json('IMAGES_EDIT_COMFYUI_WORKFLOW', '{}', {
    name: 'Image editing workflow (ComfyUI)',
    json: OBJECT,
    help: 'Workflow that edits images, in API format.',
  }),
  json('IMAGES_EDIT_COMFYUI_WORKFLOW_NODES', '[]', {
    name: 'Image editing workflow nodes (ComfyUI)',
    json: NODES,
    help: 'Where values go in that workflow.',
  }),
])

const bounds = [
  integer('IMAGE_MAX_CALLS', 4, [1, 100], {
    name: 'Images created at once',
    searchWords: 'picture limit',
    help: 'How many images one person may create at the same time, counted in calls.',
  }),
  integer('IMAGE_TIMEOUT', 300, [1, 3600], {
    name: 'Time limit for an image',
    searchWords: 'picture',
    help: 'How many seconds one call may take to create images.',
  }),
  integer('IMAGE_MAX_SIZE', 32, [1, 200], {
    name: 'Maximum image file size',
    searchWords: 'picture limit',
    help: 'Maximum size of an image from an engine or a model, in MB.',
  }),
  integer('IMAGE_MAX_PIXELS', 50, [1, 1000], {
    name: 'Maximum image size in pixels',
    searchWords: 'picture limit',
    help: 'Maximum size of an image from an engine or a model, in megapixels; larger ones would need too much memory to view.',
  }),
] as const satisfies readonly SettingDefinition[]

/** Settings of generating and editing images. */
export const imageSettings = [
  ...making,
  ...editing,
  ...bounds,
] as const satisfies readonly SettingDefinition[]
