import { Health, Readiness } from '../readiness.ts'
import { listMeaning, objectMeaning } from './meaning.ts'

/** The answers of the operator's endpoints. */
export const OPERATIONS_MEANINGS = {
  ReadinessStatus: listMeaning(Readiness.shape.status, 'Whether requests should be sent to this process.', {
    ready: 'Quotes can be priced and stored, except by what `degraded` lists.',
    not_ready: 'Something is missing; it may come back by itself.',
    draining: 'The process finishes its requests and ends.',
  }),
  Health: objectMeaning(Health, 'The process answers.', { status: 'Always `ok`.' }),
  Readiness: objectMeaning(Readiness, 'Whether quotes can be priced and stored.', {
    status: 'Whether requests should be sent here.',
    missing: 'The parts that do not serve and keep requests away, such as `store`, `start` or a chain.',
    degraded: 'The parts that do not serve while the rest does, such as a chain or `solver <name>`.',
    since: 'When each of these parts was first found so, in ISO 8601.',
  }),
}
