import type { z } from './lazy-zod.ts'
import { jsonObjectSchema } from './common.ts'
import { defineEndpoint, type EndpointAuth } from './endpoint.ts'
import { valvesSchema, valvesSpecSchema } from './plugins.ts'

/** Whose settings the six endpoints are about. */
interface ValveEndpoints<Prefix extends string, Params extends z.ZodType> {
  readonly prefix: Prefix
  readonly tag: string
  /** The path of one of them, such as `/api/v1/tools/id/:tool_id`. */
  readonly place: string
  readonly params: Params
  /** What a summary calls it. */
  readonly noun: string
  /** Who may ask for the settings that count for everybody. */
  readonly auth: Exclude<EndpointAuth, 'none'>
  /** What those are answered who may not, beside 404. */
  readonly errors: readonly number[]
  /** Example values of the settings for everybody and of a person's own. */
  readonly examples: readonly [shared: Record<string, unknown>, own: Record<string, unknown>]
}

/**
 * The endpoints of the settings of a plugin: those for everybody, and each person's own.
 */
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
