import { z } from './lazy-zod.ts'
import { idSchema, jsonObjectSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

/** Index of the server in the list of connected providers. */
const placeSchema = z.coerce.number().int().min(0).max(100_000)
const query = z.object({ urlIdx: placeSchema.optional() })
const params = z.object({ pipeline_id: idSchema })
const errors = [400, 404, 502, 503, 504]
/** Response of the server. */
const answerSchema = z.unknown()
const UPLOAD_LIMIT = 16 * 1024 * 1024

export const pipelineEndpoints = defineEndpoints(
  { domain: 'pipelines', tag: 'Pipelines', root: '/api/v1/pipelines' },
  {
    servers: {
      method: 'GET',
      path: '/list',
      auth: 'admin',
      response: z.object({ data: z.array(z.object({ url: z.string(), idx: z.int() })) }),
      summary: 'The connected providers that are pipelines servers.',
    },
    list: {
      method: 'GET',
      path: '/',
      auth: 'admin',
      query,
      response: answerSchema,
      errors,
      summary: 'The pipelines of a server, as it lists them.',
    },
    add: {
      method: 'POST',
      path: '/add',
      auth: 'admin',
      body: z.object({ url: z.string().min(1).max(4000), urlIdx: placeSchema }).meta({
        id: 'PipelineAddress',
        example: { url: 'https://example.org/filter.py', urlIdx: 0 },
      }),
      response: answerSchema,
      errors,
      summary: 'Makes a server download and load a pipeline.',
    },
    upload: {
      method: 'POST',
      path: '/upload',
      auth: 'admin',
      upload: { types: ['multipart/form-data'], limit: UPLOAD_LIMIT },
      response: answerSchema,
      errors: [...errors, 413, 415],
      summary:
        'Sends a pipeline to a server: a form with the part `file`, a Python source, and the field `urlIdx`.',
    },
    remove: {
      method: 'DELETE',
      path: '/delete',
      auth: 'admin',
      body: z
        .object({ id: idSchema, urlIdx: placeSchema })
        .meta({ id: 'PipelineName', example: { id: 'filter', urlIdx: 0 } }),
      response: answerSchema,
      errors,
      summary: 'Deletes a pipeline on its server.',
    },
    valves: {
      method: 'GET',
      path: '/:pipeline_id/valves',
      auth: 'admin',
      params,
      query,
      response: answerSchema,
      errors,
      summary: 'The settings of a pipeline.',
    },
    valvesSpec: {
      method: 'GET',
      path: '/:pipeline_id/valves/spec',
      auth: 'admin',
      params,
      query,
      response: answerSchema,
      errors,
      summary: 'JSON schema of the settings of a pipeline.',
    },
    updateValves: {
      method: 'POST',
      path: '/:pipeline_id/valves/update',
      auth: 'admin',
      params,
      query,
      body: jsonObjectSchema.meta({ example: { priority: 1 } }),
      response: answerSchema,
      errors,
      summary: 'Changes the settings of a pipeline.',
    },
  },
)
