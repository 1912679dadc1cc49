import { modelConformance } from "../../testing/conformance/model.ts";
import { createHttp } from "./http.ts";
import { createKeySource } from "./keys.ts";
import { createModel, type Api } from "./providers.ts";

const wires: { api: Api; name: string; model: string; tellsCacheWrites: boolean }[] = [
  { api: "anthropic", name: "anthropic", model: "claude-sonnet-5-5", tellsCacheWrites: true },
  { api: "openai-responses", name: "openai", model: "gpt-6.1-terra", tellsCacheWrites: true },
  { api: "openai-chat", name: "local", model: "some-model", tellsCacheWrites: true },
  { api: "google", name: "google", model: "gemini-3.8-flash", tellsCacheWrites: false },
  { api: "google", name: "google", model: "gemini-2.5-flash", tellsCacheWrites: false },
];

for (const { api, name, model, tellsCacheWrites } of wires) {
  modelConformance(`${name}/${model}`, {
    tellsCacheWrites,
    make: (baseURL, value) => {
      let ids = 0;
      return createModel({
        provider: { name, api, baseURL },
        model,
        http: createHttp(),
        keys: createKeySource({ value }),
        newId: () => `call_${name}_${++ids}`,
      });
    },
  });
}
