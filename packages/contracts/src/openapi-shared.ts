import type {
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
} from './openapi-document.ts';

interface Reference {
  $ref: string;
}
/** An operation that refers to what others have as well. */
type SharingOperation = Omit<OpenApiOperation, 'parameters' | 'responses'> & {
  parameters?: (OpenApiParameter | Reference)[];
  responses: Record<string, OpenApiResponse | Reference>;
};
export type SharingDocument = Omit<OpenApiDocument, 'paths' | 'components'> & {
  paths: Record<string, Record<string, SharingOperation>>;
  components: OpenApiDocument['components'] & {
    parameters: Record<string, OpenApiParameter>;
    responses: Record<string, OpenApiResponse>;
  };
};

/** Returns the document with each parameter and error that several operations have stated once, in its components. */
export function shareRepeated(document: OpenApiDocument): SharingDocument {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const parameters = repeated(
    operations.flatMap((operation) => operation.parameters ?? []),
    (parameter) => `${parameter.in}-${parameter.name}`,
  );
  const responses = repeated(
    operations.flatMap((operation) => Object.values(operation.responses)).filter(isError),
    ({ description }) => description.replaceAll(', ', '-or-'),
  );
  const sharing = (operation: OpenApiOperation): SharingOperation => ({
    ...operation,
    description: operation.description ?? `${operation.summary}.`,
    ...(operation.parameters
      ? { parameters: operation.parameters.map((one) => parameters.refer('parameters', one)) }
      : {}),
    responses: mapValues(operation.responses, (one) => responses.refer('responses', one)),
  });
  return {
    ...document,
    paths: mapValues(document.paths, (methods) => mapValues(methods, sharing)),
    components: { ...document.components, parameters: parameters.named, responses: responses.named },
  };
}

/** Errors are described by their codes. */
const isError = ({ description }: OpenApiResponse) => /^[A-Z_, ]+$/.test(description);

/** What is there more than once, under a name of its own. */
function repeated<Part>(parts: readonly Part[], nameOf: (part: Part) => string) {
  const counts = new Map<string, number>();
  for (const part of parts) counts.set(JSON.stringify(part), (counts.get(JSON.stringify(part)) ?? 0) + 1);
  const named: Record<string, Part> = {};
  const names = new Map<string, string>();
  for (const part of parts) {
    const text = JSON.stringify(part);
    if (names.has(text) || (counts.get(text) ?? 0) < 2) continue;
    const base = nameOf(part);
    let name = base;
    for (let nth = 2; name in named; nth++) name = `${base}-${nth}`;
    named[name] = part;
    names.set(text, name);
  }
  return {
    named,
    refer(kind: string, part: Part): Part | Reference {
      const name = names.get(JSON.stringify(part));
      return name === undefined ? part : { $ref: `#/components/${kind}/${name}` };
    },
  };
}

function mapValues<From, To>(record: Record<string, From>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
