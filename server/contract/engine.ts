import { z } from './lazy-zod.ts'
import { doneSchema, idSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

const UPLOAD_LIMIT = 64 * 1024 ** 3

export const modelTaskSchema = z.enum(['chat', 'small', 'embedding', 'reranking'])

/** Model file found by the built-in runtime. Sizes are bytes. */
export const localModelSchema = z
  .object({
    name: z.string(),
    title: z.string().nullable(),
    bytes: z.number(),
    /** Approximate memory it uses while it answers. */
    memory: z.number(),
    fits: z.boolean(),
    task: modelTaskSchema.nullable(),
    parameters: z.string().nullable(),
    quantization: z.string().nullable(),
    license: z.string().nullable(),
    context_length: z.int().nullable(),
    /**
     * Program that owns the file; null for the gateway's own files, which are the only ones that
     * can be deleted.
     */
    owner: z.string().nullable(),
    /** Reason why it cannot be used. */
    problem: z.string().nullable(),
  })
  .meta({ id: 'LocalModel' })
export type LocalModel = z.output<typeof localModelSchema>

/** Model in the short list offered for download. */
export const offeredModelSchema = z
  .object({
    source: z.string(),
    title: z.string(),
    task: modelTaskSchema,
    bytes: z.number(),
    memory: z.number(),
    fits: z.boolean(),
    license: z.string(),
  })
  .meta({ id: 'OfferedLocalModel' })
export type OfferedLocalModel = z.output<typeof offeredModelSchema>

export const modelDownloadSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    address: z.string(),
    status: z.enum(['running', 'paused', 'failed', 'done']),
    completed: z.number(),
    /** Null until the server has reported it. */
    total: z.number().nullable(),
    bytes_per_second: z.number(),
    error: z.string().nullable(),
  })
  .meta({ id: 'ModelDownload' })
export type ModelDownload = z.output<typeof modelDownloadSchema>

/** Folder of another program on the gateway's computer that contains model files. */
export const foundFolderSchema = z
  .object({
    path: z.string(),
    owner: z.string(),
    model_count: z.int(),
    is_used: z.boolean(),
  })
  .meta({ id: 'FoundModelFolder' })
export type FoundModelFolder = z.output<typeof foundFolderSchema>

/** Files of the built-in runtime for NVIDIA cards, which are downloaded only on request. */
export const cudaStateSchema = z
  .object({
    /** True once all files of this version are there. */
    installed: z.boolean(),
    /** Space on the disk, also of files that are incomplete or of another version. */
    disk_bytes: z.number(),
    downloads: z.array(modelDownloadSchema),
    /**
     * Whether the runtime uses them; false if they do not load, so that it runs models without
     * them; null before it has loaded a model.
     */
    is_used: z.boolean().nullable(),
  })
  .meta({ id: 'CudaState' })
export type CudaState = z.output<typeof cudaStateSchema>

/** Sizes of the files for NVIDIA cards; null if the registry does not state them. */
export const cudaOfferSchema = z
  .object({
    download_bytes: z.number().nullable(),
    installed_bytes: z.number().nullable(),
  })
  .meta({ id: 'CudaOffer' })
export type CudaOffer = z.output<typeof cudaOfferSchema>

export const engineStateSchema = z
  .object({
    enabled: z.boolean(),
    folder: z.string(),
    memory: z.object({ total: z.number(), free: z.number() }),
    disk_free: z.number(),
    models: z.array(localModelSchema),
    downloads: z.array(modelDownloadSchema),
    offered: z.array(offeredModelSchema),
    folders: z.array(foundFolderSchema),
    /** Null where no NVIDIA card is found. */
    cuda: cudaStateSchema.nullable(),
  })
  .meta({ id: 'EngineState' })
export type EngineState = z.output<typeof engineStateSchema>

const params = z.object({ id: idSchema })

export const engineEndpoints = defineEndpoints(
  { domain: 'engine', tag: 'Built-in runtime', root: '/api/v1/engine' },
  {
    state: {
      method: 'GET',
      path: '',
      auth: 'admin',
      response: engineStateSchema,
      summary: 'The models on this computer, their downloads, and the models that are offered.',
    },
    download: {
      method: 'POST',
      path: '/downloads',
      auth: 'admin',
      body: z.object({ source: z.string().trim().min(1).max(2048) }),
      response: modelDownloadSchema,
      errors: [400, 403, 409, 502],
      summary:
        'Starts or continues the download of a model, by the URL of its file or the name of a repository.',
    },
    pause: {
      method: 'POST',
      path: '/downloads/:id/pause',
      auth: 'admin',
      params,
      response: doneSchema,
      errors: [404],
      summary: 'Pauses a download; its incomplete file stays.',
    },
    resume: {
      method: 'POST',
      path: '/downloads/:id/resume',
      auth: 'admin',
      params,
      response: doneSchema,
      errors: [404],
      summary: 'Continues a paused download.',
    },
    cancel: {
      method: 'DELETE',
      path: '/downloads/:id',
      auth: 'admin',
      params,
      response: doneSchema,
      errors: [404],
      summary: 'Cancels a download and deletes its incomplete file.',
    },
    upload: {
      method: 'POST',
      path: '/models/upload',
      auth: 'admin',
      query: z.object({ filename: z.string().min(1).max(200) }),
      upload: { types: ['application/octet-stream'], limit: UPLOAD_LIMIT },
      response: localModelSchema,
      errors: [400, 409, 413, 415],
      summary: 'Uploads the file of a model.',
    },
    remove: {
      method: 'DELETE',
      path: '/models/:name',
      auth: 'admin',
      params: z.object({ name: z.string().min(1).max(200) }),
      response: doneSchema,
      errors: [404, 409],
      summary: 'Deletes the file of a model.',
    },
    cudaOffer: {
      method: 'GET',
      path: '/cuda/offer',
      auth: 'admin',
      response: cudaOfferSchema,
      errors: [400, 403, 409, 502],
      summary: 'Requests the sizes of the files for NVIDIA cards from the registry.',
    },
    cudaDownload: {
      method: 'POST',
      path: '/cuda/downloads',
      auth: 'admin',
      response: doneSchema,
      errors: [400, 403, 409, 502],
      summary: 'Starts or continues the download of the files for NVIDIA cards.',
    },
    cudaRemove: {
      method: 'DELETE',
      path: '/cuda',
      auth: 'admin',
      response: doneSchema,
      errors: [409],
      summary: 'Deletes the files for NVIDIA cards, and ends their downloads.',
    },
  },
)
