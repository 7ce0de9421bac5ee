import type { z } from './lazy-zod.ts'
import { jsonObjectSchema } from './common.ts'
import { defineEndpoint, type EndpointAuth } from './endpoint.ts'
import { valvesSchema, valvesSpecSchema } from './plugins.ts'

/** Parameters of the six endpoints for plugin settings. */
interface ValveEndpoints<Prefix extends string, Params extends z.ZodType> {
  readonly prefix: Prefix
  readonly tag: string
  /** Base path, such as `/api/v1/tools/id/:tool_id`. */
  readonly place: string
  readonly params: Params
  /** Name used in summaries. */
  readonly noun: string
  /** Callers who may read the shared settings. */
  readonly auth: Exclude<EndpointAuth, 'none'>
  /** Error statuses for callers without that permission, in addition to 404. */
  readonly errors: readonly number[]
  /** Example values of the shared settings and of a user's own. */
  readonly examples: readonly [shared: Record<string, unknown>, own: Record<string, unknown>]
}

/** Defines the endpoints for the settings of a plugin: the shared ones, and each user's own. */
export function defineValveEndpoints<const Prefix extends string, Params extends z.ZodType>(
  about: ValveEndpoints<Prefix, Params>,
) {
  const { prefix, tag, place, params, noun, auth, errors } = about
  const [shared, own] = about.examples
  return {
    valves: defineEndpoint({
      id: `${prefix}.valves`,
      tag,
      method: 'GET',
      path: `${place}/valves`,
      auth,
      params,
      response: valvesSchema,
      errors: [...errors, 404],
      summary: `The settings of a ${noun}.`,
    }),
    valvesSpec: defineEndpoint({
      id: `${prefix}.valvesSpec`,
      tag,
      method: 'GET',
      path: `${place}/valves/spec`,
      auth,
      params,
      response: valvesSpecSchema,
      errors: [...errors, 404, 503],
      summary: `JSON schema of the settings of a ${noun}.`,
    }),
    updateValves: defineEndpoint({
      id: `${prefix}.updateValves`,
      tag,
      method: 'POST',
      path: `${place}/valves/update`,
      auth,
      params,
      body: jsonObjectSchema.meta({ example: shared }),
      response: valvesSchema,
      errors: [400, ...errors, 404, 503],
      summary: `Changes the settings of a ${noun}; 400 with the reasons when they do not fit.`,
    }),
    userValves: defineEndpoint({
      id: `${prefix}.userValves`,
      tag,
      method: 'GET',
      path: `${place}/valves/user`,
      params,
      response: valvesSchema,
      errors: [404],
      summary: `The own settings of the caller for a ${noun} in use.`,
    }),
    userValvesSpec: defineEndpoint({
      id: `${prefix}.userValvesSpec`,
      tag,
      method: 'GET',
      path: `${place}/valves/user/spec`,
      params,
      response: valvesSpecSchema,
      errors: [404, 503],
      summary: `JSON schema of the settings each person has for a ${noun}.`,
    }),
    updateUserValves: defineEndpoint({
      id: `${prefix}.updateUserValves`,
      tag,
      method: 'POST',
      path: `${place}/valves/user/update`,
      params,
      body: jsonObjectSchema.meta({ example: own }),
      response: valvesSchema,
      errors: [400, 404, 503],
      summary: `Changes the own settings of the caller for a ${noun}.`,
    }),
  }
}

/** Endpoints for the settings of one kind of plugin. */
export type ValveTable<Params extends z.ZodType> = ReturnType<
  typeof defineValveEndpoints<string, Params>
>
