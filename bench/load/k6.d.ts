// The part of k6's API that the scenarios use (https://grafana.com/docs/k6/latest/javascript-api/).

declare module 'k6/http' {
  export interface Params {
    headers?: Record<string, string>;
    tags?: Record<string, string>;
    timeout?: string;
  }
  export interface Response {
    status: number;
    body: string | null;
  }
  const http: {
    get(url: string, params?: Params): Response;
    del(url: string, body: string | null, params?: Params): Response;
    post(url: string, body: string, params?: Params): Response;
  };
  export default http;
}

declare module 'k6/execution' {
  const exec: {
    scenario: { name: string; iterationInTest: number };
  };
  export default exec;
}
