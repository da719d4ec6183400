import { ALWAYS, type Operation } from './operation.ts'

/** `GET /openapi.json`. */
export const GET_DESCRIPTION = {
  operationId: 'getDescription',
  name: '/openapi.json',
  method: 'GET',
  path: '/openapi.json',
  tag: 'documentation',
  summary: 'Get this description',
  description: 'This interface in OpenAPI 3.1.',
  answers: { 200: { description: 'The description.', content: { type: 'application/json' } } },
  cached: true,
  errors: ALWAYS,
} as const satisfies Operation

/** `GET /docs`. */
export const GET_REFERENCE = {
  operationId: 'getReference',
  name: '/docs',
  method: 'GET',
  path: '/docs',
  tag: 'documentation',
  summary: 'Read the reference',
  description: 'This interface as a page for people, with a form to try it.',
  answers: { 200: { description: 'The page.', content: { type: 'text/html' } } },
  cached: true,
  errors: ALWAYS,
} as const satisfies Operation

/** `GET /healthz`. */
export const GET_HEALTH = {
  operationId: 'getHealth',
  name: '/healthz',
  method: 'GET',
  path: '/healthz',
  tag: 'operations',
  summary: 'Ask whether the process answers',
  description: 'Says nothing about chains or the store.',
  answers: { 200: { description: 'The process answers.', content: { schema: 'Health' } } },
  cached: false,
  errors: {},
} as const satisfies Operation

/** `GET /readyz`. */
export const GET_READINESS = {
  operationId: 'getReadiness',
  name: '/readyz',
  method: 'GET',
  path: '/readyz',
  tag: 'operations',
  summary: 'Ask whether quotes can be priced and stored',
  description:
    'For load balancers: send requests while it answers 200. After a start that is once everything that the configuration names serves, or thirty seconds later.',
  answers: {
    200: { description: 'Ready; `degraded` lists what does not serve.', content: { schema: 'Readiness' } },
    503: {
      description: 'Not ready, or draining; `missing` lists what does not serve.',
      content: { schema: 'Readiness' },
    },
  },
  cached: false,
  errors: {},
} as const satisfies Operation

/** `GET /metrics`. */
export const GET_METRICS = {
  operationId: 'getMetrics',
  name: '/metrics',
  method: 'GET',
  path: '/metrics',
  tag: 'operations',
  summary: 'Read the metrics',
  description: 'Counters, gauges and histograms in the text format of Prometheus.',
  answers: { 200: { description: 'The metrics.', content: { type: 'text/plain' } } },
  cached: false,
  errors: {},
} as const satisfies Operation
