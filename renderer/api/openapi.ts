export { isRecord } from '#contract/openapi/schema.ts'
export { readOperations } from '#contract/openapi/read-operations.ts'
export { toRequest } from '#contract/openapi/to-request.ts'
export { toSpecification } from '#contract/openapi/to-specification.ts'
