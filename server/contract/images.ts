import { doneSchema, idSchema, jsonObjectSchema, pageSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { z } from './lazy-zod.ts'

/**
 * Image engines: an endpoint that speaks `/images/generations`, one that returns images in chat
 * completions, or one of the servers with their own protocol. Other values are stored as they are
 * and rejected when an image is requested.
 */
export const IMAGE_ENGINES = Object.freeze([
  'openai',
  'chat',
  'automatic1111',
  'comfyui',
  'gemini',
] as const)

/** Vendor parameters sent in addition to those of the gateway: an object, or its JSON. */
const paramsSchema = z.union([jsonObjectSchema, z.string().max(100_000)]).nullable()
const addressSchema = z.string().trim().max(2000)
const keySchema = z.string().max(10_000)
/** Large enough for a workflow of several thousand nodes. */
const workflowSchema = z.string().max(1_000_000)

/** Target of a gateway value in a ComfyUI workflow: the input `key` of the nodes with these ids. */
export const workflowNodeSchema = z
  .looseObject({
    /**
     * `prompt`, `negative_prompt`, `model`, `width`, `height`, `n`, `steps`, `seed` and, for edits,
     * `image`.
     */
    type: z.string().max(100),
    key: z.string().max(200).nullish(),
    node_ids: z
      .array(z.union([z.string().max(100), z.number()]))
      .max(100)
      .nullish(),
    /** Value used if the call specifies none. */
    value: z.string().max(10_000).nullish(),
  })
  .meta({ id: 'WorkflowNode' })
export type WorkflowNode = z.output<typeof workflowNodeSchema>
export const workflowNodesSchema = z.array(workflowNodeSchema).max(100)

const configFields = {
  ENABLE_IMAGE_GENERATION: z.boolean(),
  /** Lets the task model write the prompt from the conversation before a picture is made. */
  ENABLE_IMAGE_PROMPT_GENERATION: z.boolean(),
  IMAGE_GENERATION_ENGINE: z.string().max(100),
  IMAGE_GENERATION_MODEL: z.string().max(512),
  /** `512x512`, empty for the engine's default, or `auto` for models that support it. */
  IMAGE_SIZE: z.string().max(100).nullable(),
  IMAGE_STEPS: z.number().nullable(),
  IMAGES_OPENAI_API_BASE_URL: addressSchema,
  IMAGES_OPENAI_API_KEY: keySchema,
  IMAGES_OPENAI_API_VERSION: z.string().max(100),
  IMAGES_OPENAI_API_PARAMS: paramsSchema,
  AUTOMATIC1111_BASE_URL: addressSchema,
  AUTOMATIC1111_API_AUTH: keySchema.nullable(),
  AUTOMATIC1111_PARAMS: paramsSchema,
  COMFYUI_BASE_URL: addressSchema,
  COMFYUI_API_KEY: keySchema,
  COMFYUI_WORKFLOW: workflowSchema,
  COMFYUI_WORKFLOW_NODES: workflowNodesSchema,
  IMAGES_GEMINI_API_BASE_URL: addressSchema,
  IMAGES_GEMINI_API_KEY: keySchema,
  /** `predict` or `generateContent`; the model decides when empty. */
  IMAGES_GEMINI_ENDPOINT_METHOD: z.string().max(100),
  ENABLE_IMAGE_EDIT: z.boolean(),
  IMAGE_EDIT_ENGINE: z.string().max(100),
  IMAGE_EDIT_MODEL: z.string().max(512),
  IMAGE_EDIT_SIZE: z.string().max(100).nullable(),
  IMAGES_EDIT_OPENAI_API_BASE_URL: addressSchema,
  IMAGES_EDIT_OPENAI_API_KEY: keySchema,
  IMAGES_EDIT_OPENAI_API_VERSION: z.string().max(100),
  IMAGES_EDIT_GEMINI_API_BASE_URL: addressSchema,
  IMAGES_EDIT_GEMINI_API_KEY: keySchema,
  IMAGES_EDIT_COMFYUI_BASE_URL: addressSchema,
  IMAGES_EDIT_COMFYUI_API_KEY: keySchema,
  IMAGES_EDIT_COMFYUI_WORKFLOW: workflowSchema,
  IMAGES_EDIT_COMFYUI_WORKFLOW_NODES: workflowNodesSchema,
}

/**
 * Configuration of image generation and editing: 33 fields, all of them required in a request. A
 * stored key reads as `SECRET_MASK`, and sending the mask back keeps it; an empty one removes it.
 */
export const imagesConfigSchema = z.object(configFields).meta({ id: 'ImagesConfig' })
export type ImagesConfig = z.output<typeof imagesConfigSchema>

/** Masked fields of the configuration. */
export const IMAGE_SECRETS = Object.freeze([
  'IMAGES_OPENAI_API_KEY',
  'AUTOMATIC1111_API_AUTH',
  'COMFYUI_API_KEY',
  'IMAGES_GEMINI_API_KEY',
  'IMAGES_EDIT_OPENAI_API_KEY',
  'IMAGES_EDIT_GEMINI_API_KEY',
  'IMAGES_EDIT_COMFYUI_API_KEY',
] as const)

/**
 * Id of a running call, chosen by the caller: `image:progress` events carry it, and `stop` takes
 * it.
 */
const jobSchema = z.string().min(1).max(64)

/**
 * Image options the user chose for an answer, in `features.image_options` of a completion. For new
 * images they override those a model requests; an edit applies all except the size.
 */
export const imageOptionsSchema = z.object({
  /** `512x512`; defaults to the configured size. */
  size: z.string().max(100).nullish(),
  n: z.int().min(1).max(16).nullish(),
  /** For engines that accept one; random otherwise. */
  seed: z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullish(),
})
export type ImageOptions = z.output<typeof imageOptionsSchema>

export const generateImagesSchema = z
  .object({
    prompt: z.string().min(1).max(100_000),
    /**
     * Engine `openai` uses the configured model, whatever this is; the other engines use this one.
     */
    model: z.string().max(512).nullish(),
    /** `512x512`; defaults to the configured size. */
    size: z.string().max(100).nullish(),
    n: z.int().min(0).max(16).nullish(),
    steps: z.int().min(0).max(1000).nullish(),
    negative_prompt: z.string().max(100_000).nullish(),
    /** For engines that accept one; random otherwise, and stored. */
    seed: z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullish(),
    job_id: jobSchema.nullish(),
  })
  .meta({
    id: 'GenerateImages',
    example: { prompt: 'A lighthouse at dusk', size: '512x512', n: 1 },
  })

const editFieldsSchema = z.object({
  /** A `data:` URL, the URL or id of a file on the gateway, a web URL, or several of them. */
  image: z.union([z.string(), z.array(z.string()).min(1).max(16)]),
  prompt: z.string().min(1).max(100_000),
  model: z.string().max(512).nullish(),
  size: z.string().max(100).nullish(),
  n: z.int().min(0).max(16).nullish(),
  negative_prompt: z.string().max(100_000).nullish(),
  background: z.string().max(100).nullish(),
  seed: z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullish(),
  job_id: jobSchema.nullish(),
})
export const editImagesSchema = z
  .union([
    z.object({ form_data: editFieldsSchema }).transform(({ form_data }) => form_data),
    editFieldsSchema,
  ])
  .meta({
    id: 'EditImages',
    example: { form_data: { image: '/api/v1/files/6f1c/content', prompt: 'Make it winter' } },
  })

/**
 * Image that was generated or received with an answer, with its parameters. `id` is that of its
 * file; times are unix seconds.
 */
export const pictureSchema = z
  .object({
    id: z.string(),
    /** URL of the bytes. */
    url: z.string(),
    /** URL of a preview for lists; null while there is none. */
    preview: z.string().nullable(),
    filename: z.string(),
    content_type: z.string(),
    bytes: z.int(),
    /** `received`: the model included it in its answer, so size, seed and steps are unknown. */
    kind: z.enum(['generated', 'edited', 'received']),
    engine: z.string(),
    model: z.string(),
    prompt: z.string(),
    negative_prompt: z.string(),
    /** Requested size, as `512x512`; empty if the engine chose it. */
    size: z.string(),
    /** Actual dimensions of the image in pixels. */
    width: z.int(),
    height: z.int(),
    seed: z.int().nullable(),
    steps: z.int().nullable(),
    /** Chat in which it was created; null outside of chats. */
    chat_id: z.string().nullable(),
    message_id: z.string().nullable(),
    /** Ids of the gallery images it was edited from or is a variation of. */
    source_ids: z.array(z.string()),
    created_at: z.int(),
  })
  .meta({ id: 'Picture' })
export type Picture = z.output<typeof pictureSchema>

/**
 * Data of the socket event `image:progress`, sent to the caller of a direct call with a `job_id`
 * (`chat_id` and `message_id` are null). In chats the event is `status` {action:
 * 'image_generation', description, done, progress?: {done, total}, error?}, and the images follow
 * as `files` {files: [{type: 'image', id, url, name, content_type}]}.
 */
export const imageProgressSchema = z.object({
  job_id: z.string(),
  /** Steps of the engine; both are null if it does not report them. */
  done: z.number().nullable(),
  total: z.number().nullable(),
})

/** Longer side of a preview in pixels, and its maximum size in bytes. */
export const PREVIEW_SIDE = 512
export const PREVIEW_BYTES = 64 * 1024

const MEBIBYTE = 1024 * 1024
const making = {
  feature: 'ENABLE_IMAGE_GENERATION',
  permission: 'features.image_generation',
} as const
const pictureParams = z.object({ picture_id: idSchema })
/** URLs of the created images, in the reference system's form: a bare list. */
const madeSchema = z.array(z.object({ url: z.string() }))

export const imageEndpoints = defineEndpoints(
  { domain: 'images', tag: 'Images', root: '/api/v1/images' },
  {
    config: {
      method: 'GET',
      path: '/config',
      auth: 'admin',
      response: imagesConfigSchema,
      summary: 'Settings for making pictures; keys are masked.',
    },
    updateConfig: {
      method: 'POST',
      path: '/config/update',
      auth: 'admin',
      bodyLimit: 8 * MEBIBYTE,
      body: imagesConfigSchema,
      response: imagesConfigSchema,
      errors: [400, 413],
      summary: 'Changes the settings for making pictures. A mask sent back keeps the stored key.',
    },
    verify: {
      method: 'GET',
      path: '/config/url/verify',
      auth: 'admin',
      response: doneSchema,
      errors: [400],
      summary:
        'Checks whether the configured server responds; 400 with the reason if it does not. Remote endpoints are not called.',
    },
    models: {
      method: 'GET',
      path: '/models',
      response: z.array(z.object({ id: z.string(), name: z.string() })),
      errors: [400],
      summary: 'Models of the engine that makes pictures.',
    },
    generate: {
      ...making,
      method: 'POST',
      path: '/generations',
      errorDialect: 'chat-completions',
      body: generateImagesSchema,
      response: madeSchema,
      errors: [400, 403, 413, 429, 507],
      summary:
        'Makes pictures and stores them as files of the caller. Ends when the client disconnects.',
    },
    edit: {
      feature: 'ENABLE_IMAGE_EDIT',
      permission: 'features.image_generation',
      method: 'POST',
      path: '/edit',
      errorDialect: 'chat-completions',
      bodyLimit: 64 * MEBIBYTE,
      body: editImagesSchema,
      response: madeSchema,
      errors: [400, 403, 413, 429, 507],
      summary: 'Makes pictures from others, with the body in `form_data` or without.',
    },
    stop: {
      method: 'POST',
      path: '/jobs/:job_id/stop',
      params: z.object({ job_id: jobSchema }),
      response: z.object({ status: z.literal(true) }),
      errors: [404],
      summary:
        'Stops a running call of the caller, and the server that makes the pictures. That call answers 400.',
    },
    show: {
      method: 'POST',
      path: '/show',
      reply: 'stream',
      body: z
        .object({ url: z.string().min(1).max(4096) })
        .meta({ id: 'RemotePicture', example: { url: 'https://pictures.example/tea.png' } }),
      response: z.unknown(),
      errors: [400, 403, 502, 504],
      summary:
        'A picture of the web, fetched by the gateway on behalf of the caller: PNG, JPEG, GIF or WebP, without cookies.',
    },
    gallery: {
      method: 'GET',
      path: '/gallery',
      query: z.object({
        page: pageSchema.optional(),
        /** Text contained in the prompt. */
        query: z.string().max(500).optional(),
        kind: z.enum(['generated', 'edited', 'received', '']).optional(),
      }),
      response: z
        .object({ items: z.array(pictureSchema), total: z.int() })
        .meta({ id: 'PicturePage' }),
      summary: 'Pictures of the caller, the newest first, 30 a page.',
    },
    picture: {
      method: 'GET',
      path: '/gallery/:picture_id',
      params: pictureParams,
      response: pictureSchema,
      errors: [404],
      summary: 'A picture of the caller with what it was made from.',
    },
    preview: {
      method: 'GET',
      path: '/gallery/:picture_id/preview',
      params: pictureParams,
      opensByCookie: true,
      reply: 'stream',
      replyTypes: ['image/webp'],
      response: z.unknown(),
      errors: [404],
      summary: 'A small WebP of a picture, for callers who may read the picture.',
    },
    keepPreview: {
      method: 'PUT',
      path: '/gallery/:picture_id/preview',
      params: pictureParams,
      body: z
        .object({
          data: z
            .string()
            .min(1)
            .max(Math.ceil(PREVIEW_BYTES / 3) * 4),
        })
        .meta({ id: 'PicturePreview' }),
      response: doneSchema,
      errors: [400, 404],
      summary: 'Stores the preview, in base64, that a window made of a picture of the caller.',
    },
    remove: {
      method: 'DELETE',
      path: '/gallery/:picture_id',
      params: pictureParams,
      response: doneSchema,
      errors: [404],
      summary: 'Deletes a picture of the caller with its file, wherever it is shown.',
    },
    vary: {
      ...making,
      method: 'POST',
      path: '/gallery/:picture_id/variations',
      params: pictureParams,
      body: z.object({ n: z.int().min(1).max(16).nullish(), job_id: jobSchema.nullish() }),
      response: z.array(pictureSchema),
      errors: [400, 403, 404, 429, 507],
      summary: 'Makes pictures with the same prompt, model, size and steps and another seed.',
    },
  },
)

/**
 * Body of OpenAI clients. Vendor fields that no engine shares are accepted and ignored, and images
 * are always returned as base64, because URLs of the gateway require a credential.
 */
const imageRequestSchema = z
  .looseObject({
    ...generateImagesSchema.pick({ prompt: true, model: true, size: true }).shape,
    n: z.int().min(1).max(16).nullish(),
    stream: z.literal(false).nullish(),
  })
  .meta({ id: 'ImageRequest', example: { prompt: 'A lighthouse at dusk', n: 1 } })

/** Endpoint at which OpenAI clients ask for images; the reference system's has another response. */
export const imageDialectEndpoints = defineEndpoints(
  { domain: 'images', tag: 'Images', root: '/v1/images' },
  {
    create: {
      ...making,
      method: 'POST',
      path: '/generations',
      aliases: ['/api/images/generations'],
      errorDialect: 'chat-completions',
      body: imageRequestSchema,
      response: z
        .object({
          /** Unix seconds. */
          created: z.int(),
          data: z.array(z.object({ b64_json: z.string() })),
        })
        .meta({ id: 'ImageList' }),
      errors: [400, 403, 413, 429, 507],
      summary: 'Makes pictures for OpenAI clients, and stores them as files of the caller.',
    },
  },
)
