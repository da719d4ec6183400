import type { BackendDefinition } from './backend-definition.ts'
import { gateway } from './gateway/index.ts'
import { gatewayExpress } from './gateway-express/index.ts'
import { intent } from './intent/index.ts'
import { its } from './its/index.ts'

/** Every kind of backend; a new one is a line here. */
export const BACKENDS: readonly BackendDefinition[] = [intent, its, gateway, gatewayExpress]
