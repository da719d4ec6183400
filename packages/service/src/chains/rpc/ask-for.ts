import type { z } from 'zod'
import { expectResult } from './expect-result.ts'
import type { RpcCall } from './json-rpc.ts'
import type { RpcAsk } from './rpc-members.ts'

/** The result of one call in the schema's form; throws RpcError for an error of the node and for another form. */
export const askFor = async <Schema extends z.ZodType>(
  ask: RpcAsk,
  call: RpcCall,
  schema: Schema,
): Promise<z.output<Schema>> => expectResult((await ask([call]))[0], schema)
