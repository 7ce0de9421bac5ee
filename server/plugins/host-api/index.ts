import { notFound } from '../../lib/errors.ts'
import type { AnswerHost, HostRequest } from '../host-request.ts'
import { requireActive } from '../require-active.ts'
import { endpointMethods } from './allowed-endpoints.ts'
import { completionMethods } from './completion-methods.ts'
import type { HostParts } from './dependencies.ts'
import { fileMethods } from './file-methods.ts'
import type { HostMethod } from './method.ts'
import { peopleMethods } from './people-methods.ts'
import { pluginMethods } from './plugin-methods.ts'
import { configMethods } from './shown-settings.ts'
import { toolMethods } from './tool-methods.ts'

export type { HostDependencies, HostParts } from './dependencies.ts'

const isIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

/**
 * Creates the handler for requests of plugin code (resources/plugin-host/HOST_API.md): only actions
 * that the plugin's user could perform over HTTP are permitted.
 */
export function createHostApi(parts: HostParts): AnswerHost {
  const methods = readMethods(parts)
  return (request: HostRequest) => {
    const method = methods.get(request.method)
    if (!method) return Promise.reject(notFound(`The gateway has no answer to ${request.method}.`))
    try {
      if (request.caller) requireActive(request.caller)
      const value = method(request)
      return isIterable(value) ? value : Promise.resolve(value)
    } catch (error) {
      return Promise.reject(error as Error)
    }
  }
}

function readMethods(parts: HostParts): ReadonlyMap<string, HostMethod> {
  const endpoints = endpointMethods(parts)
  const groups = [
    endpoints,
    peopleMethods(parts),
    configMethods(parts),
    fileMethods(parts, endpoints['endpoint']!),
    completionMethods(parts),
    pluginMethods(parts),
    toolMethods(parts),
  ]
  return new Map(groups.flatMap((group) => Object.entries(group)))
}
