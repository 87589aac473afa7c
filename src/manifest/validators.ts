// Written by scripts/schema.mjs from the schemas beside it.
// @ts-nocheck
var __getOwnPropNames = Object.getOwnPropertyNames;
var __commonJS = (cb, mod) => function() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};

// node_modules/ajv/dist/runtime/ucs2length.js
var require_ucs2length = __commonJS({
  "node_modules/ajv/dist/runtime/ucs2length.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: !0 });
    function ucs2length(str) {
      let len = str.length, length = 0, pos = 0, value;
      for (; pos < len; )
        length++, value = str.charCodeAt(pos++), value >= 55296 && value <= 56319 && pos < len && (value = str.charCodeAt(pos), (value & 64512) === 56320 && pos++);
      return length;
    }
    exports.default = ucs2length;
    ucs2length.code = 'require("ajv/dist/runtime/ucs2length").default';
  }
});

// <stdin>
var checkService = validate20, schema31 = { type: "object", required: ["name", "service_type", "compute_type", "environment", "volumes", "ports", "dns", "dns-search", "labels", "affinity", "restart", "stop", "triggers", "webhooks"], properties: { name: { type: "string", pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$", expected: "a DNS label: a-z, 0-9 and -, at most 63 characters" }, service_type: { enum: ["continuous", "scheduled", "event"], type: "string", expected: "one of continuous, scheduled, event" }, compute_type: { enum: ["docker", "process", "infrastructure", "kvm", "manta"], type: "string", expected: "one of docker, process, infrastructure (or lx, smartmachine), kvm (or vm, hvm), manta" }, image: { type: "string", minLength: 1, maxLength: 512, pattern: "^\\S+$", expected: "the name of an image, such as nginx:1.27" }, package: { type: "string", minLength: 1, maxLength: 128, pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]*$", expected: "the name, uuid or family of a package" }, memory: { type: "integer", minimum: 4, maximum: 67108864, expected: "a whole number of MiB, or a size such as 512M or 1.5GiB, at least 4" }, command: { type: "array", items: { type: "string" }, expected: "a list of words, or one line of text that is split into words" }, entrypoint: { type: "array", items: { type: "string" }, expected: "a list of words, or one line of text that is split into words" }, environment: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" }, user: { type: "string", minLength: 1, pattern: "^[^\\s]+$", expected: "a user name or id, with an optional :group for docker" }, working_dir: { type: "string", pattern: "^/", expected: "an absolute path" }, volumes: { type: "array", items: { type: "object", required: ["path", "readonly"], properties: { name: { type: "string", pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$", expected: "a name of letters, digits, _ and -, at most 63 characters" }, host: { type: "string", pattern: `^(?:/|(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?)$`, maxLength: 1e3, expected: "an absolute path, without a colon, blanks, quotes, \\, . and .." }, tmpfs: { type: "boolean", const: !0, expected: "true" }, path: { type: "string", pattern: `^(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?$`, maxLength: 1e3, expected: "an absolute path below /, without a colon, blanks, quotes, \\, . and .." }, readonly: { type: "boolean" }, scope: { enum: ["instance", "service"], type: "string", expected: "one of instance, service" }, size: { type: "integer", minimum: 1, maximum: 1048576, expected: "a size such as 64M, from 1M to 1T" } }, additionalProperties: !1, expected: 'a volume such as "data:/var/lib/data", "/etc/ssl:/etc/ssl:ro", or a map with path and one of name, host and tmpfs' }, maxItems: 100, expected: "a list of volumes, at most 100" }, ports: { type: "array", items: { type: "object", required: ["container", "protocol"], properties: { ip: { type: "string" }, host: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 0 }, container: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 }, protocol: { enum: ["tcp", "udp"], type: "string", expected: "one of tcp, udp" } }, additionalProperties: !1, expected: 'a port such as 8080, "80:8080", "127.0.0.1:80:8080", "53/udp" or "8000-8003"' }, maxItems: 1e3, expected: "a list of ports, at most 1000" }, dns: { type: "array", items: { type: "string", minLength: 2, expected: "an IPv4 or IPv6 address" }, maxItems: 10, expected: "a list of at most 10 addresses" }, "dns-search": { type: "array", items: { type: "string", pattern: "^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?(\\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?)*\\.?$", expected: "a domain such as example.com" }, maxItems: 32, expected: "a list of at most 32 domains" }, cns: { type: "object", properties: { services: { type: "array", items: { type: "string", minLength: 1, expected: "a name such as web:8080" }, maxItems: 100, expected: "a list of at most 100 names such as web:8080:priority=1:weight=20" }, ttl: { type: "integer", minimum: 0, maximum: 3600, expected: "whole seconds from 0 to 3600" }, disable: { type: "boolean", expected: "true or false" } }, additionalProperties: !1, expected: "a map with services, ttl and disable" }, labels: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" }, affinity: { type: "array", items: { type: "object", required: ["key", "operator", "value"], properties: { key: { type: "string", pattern: "^[A-Za-z_][A-Za-z0-9_.-]+$", expected: "container, instance, service, machine.<key> or the name of a tag, of two characters or more" }, operator: { enum: ["==", "!=", "==~", "!=~"], type: "string", expected: "one of ==, !=, ==~, !=~" }, value: { type: "string", maxLength: 256, pattern: "^[A-Za-z0-9:_\\s.*/()?+[\\]\\\\^$|-]+$", expected: "a text, a glob such as web-*, or a /regular expression/, without , = ~ @ and braces" }, by: { type: "string", pattern: "^[A-Za-z0-9_.-]{1,128}$", expected: "a key of machine metadata, such as rack" } }, additionalProperties: !1, expected: "a rule such as role!=database" }, maxItems: 100, expected: "a list of at most 100 rules such as role!=database" }, spread: { type: "string", pattern: "^[A-Za-z0-9_.-]{1,128}$", expected: "a key of machine metadata, such as rack" }, restart: { type: "object", required: ["policy"], properties: { policy: { enum: ["no", "on-failure", "always", "unless-stopped"], type: "string", expected: "one of no, on-failure, always, unless-stopped" }, max: { type: "integer", minimum: 1, maximum: 1e6, expected: "a whole number from 1" } }, additionalProperties: !1, expected: "no, on-failure, on-failure:3, always or unless-stopped" }, stop: { type: "object", required: ["timeout", "preservestopped"], properties: { timeout: { type: "integer", minimum: -1e9, maximum: 1e9, expected: 'whole seconds: a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M' }, preservestopped: { enum: ["on-failure", "no", "always"], type: "string", expected: "one of on-failure, no, always" } }, additionalProperties: !1, expected: "a map with timeout and preservestopped" }, healthchecks: { type: "array", items: { type: "object", required: ["type"], discriminator: { propertyName: "type" }, oneOf: [{ type: "object", required: ["type", "network", "port", "path", "poll", "timeout", "retries"], properties: { type: { enum: ["http", "https"], type: "string", expected: "one of http, https" }, network: { type: "string", minLength: 1, maxLength: 64, pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "the name or uuid of a network" }, port: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 }, path: { type: "string", pattern: "^/", expected: "a path that begins with /" }, poll: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, timeout: { type: "number", minimum: 0.01, maximum: 3600, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.01 to 3600 seconds' }, retries: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, start_period: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, start_interval: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, redirects: { type: "integer", minimum: 0, maximum: 10, expected: "a whole number from 0 to 10" }, host: { type: "string", pattern: "^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$", expected: "the name of a host" }, verify: { type: "boolean", expected: "true or false" } }, additionalProperties: !1 }, { type: "object", required: ["type", "command", "poll", "timeout", "retries"], properties: { type: { enum: ["command"], type: "string", expected: "one of command" }, command: { type: "array", items: { type: "string" }, minItems: 1, expected: "a list of words, or one line of text that is split into words" }, user: { type: "string", minLength: 1, expected: "a user name or id" }, poll: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, timeout: { type: "number", minimum: 0.01, maximum: 3600, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.01 to 3600 seconds' }, retries: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, start_period: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, start_interval: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' } }, additionalProperties: !1 }], expected: "a map with type http, https or command" }, maxItems: 20, expected: "a list of at most 20 checks" }, containerpilot: { type: "object", required: ["port"], properties: { network: { type: "string", minLength: 1, maxLength: 64, pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "the name or uuid of a network" }, port: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 } }, additionalProperties: !1, expected: "a map with network and port" }, autoscale: { type: "object", required: ["enable", "min", "retrigger_delay", "notify_email"], properties: { enable: { enum: ["notify", !0, !1], expected: "notify, true or false" }, min: { type: "integer", minimum: 0, maximum: 1e5, expected: "a whole number from 0 to 100000" }, max: { type: "integer", minimum: 1, maximum: 1e5, expected: "a whole number from 1 to 100000" }, retrigger_delay: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, notify_email: { type: "array", items: { type: "string", pattern: "^[^\\s@<>,;]+@[^\\s@<>,;]+$", maxLength: 254, expected: "an e-mail address" }, maxItems: 20, expected: "a list of at most 20 e-mail addresses" } }, additionalProperties: !1, expected: "a map with enable, min, max, retrigger_delay and notify_email" }, triggers: { type: "array", items: { type: "object", if: { anyOf: [{ required: ["url"] }, { required: ["secret"] }] }, then: { type: "object", required: ["name", "url", "action"], properties: { name: { type: "string", pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "a name of letters, digits, _, . and -, at most 64 characters" }, url: { const: !0, expected: "true" }, secret: { type: "string", minLength: 8, maxLength: 256, pattern: "^([\\x21-\\x7e]+|meta\\.[^]+)$", expected: "a secret of 8 to 256 letters, digits and signs without blanks", secret: !0 }, action: { enum: ["start", "stop", "scale"], type: "string", expected: "one of start, stop, scale" }, scale: { type: "integer", minimum: 0, maximum: 1e5, expected: "a whole number from 0 to 100000" }, instances: { type: "integer", minimum: -1e4, maximum: 1e4, expected: "a whole number from -10000 to 10000" } }, additionalProperties: !1, expected: "a trigger with secret (or url: true) and action" }, else: { type: "object", required: ["name", "source", "operator", "value", "percent", "time", "aggregate", "action", "instances"], properties: { name: { type: "string", pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "a name of letters, digits, _, . and -, at most 64 characters" }, source: { type: "string", pattern: "^(service\\.[A-Za-z0-9_-]{1,63}\\.)?(containermonitor|containerpilot)(\\|(containermonitor|containerpilot))?\\.[A-Za-z_:][A-Za-z0-9_:]*$", expected: "containermonitor.<metric>, containerpilot.<metric>, or the same behind service.<name>." }, operator: { enum: ["<", "<=", ">", ">=", "==", "!="], type: "string", expected: "one of <, <=, >, >=, ==, !=" }, value: { type: "number", expected: "a number, or a percentage such as 80%" }, percent: { type: "boolean", expected: "true or false" }, time: { type: "number", minimum: 1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 1 to 86400 seconds' }, aggregate: { enum: ["avg", "min", "max", "sum", "p90"], type: "string", expected: "one of avg, min, max, sum, p90" }, action: { enum: ["increment", "decrement"], type: "string", expected: "increment (or incr), or decrement (or decr)" }, instances: { type: "integer", minimum: 1, maximum: 1e4, expected: "a whole number from 1 to 10000" } }, additionalProperties: !1, expected: "a trigger with source, operator, value, time and action" }, expected: "a trigger" }, maxItems: 50, expected: "a list or a map of at most 50 triggers" }, webhooks: { type: "array", items: { type: "object", required: ["url", "events", "headers", "allow_private"], properties: { url: { type: "string", pattern: "^https?://[^\\s/?#]+\\S*$", maxLength: 2048, expected: "a URL that begins with https:// or http://" }, events: { type: "array", items: { enum: ["start", "stop", "health", "scale", "deploy"], type: "string", expected: "one of start, stop, health, scale, deploy" }, minItems: 1, uniqueItems: !0, expected: "a list of start, stop, health, scale, deploy, each once" }, secret: { type: "string", pattern: "^(whsec_[A-Za-z0-9+/]{32,86}={0,2}|meta\\.[^]+)$", secret: !0, expected: "whsec_ and the base64 of 24 to 64 bytes" }, headers: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" }, allow_private: { type: "boolean", expected: "true or false" } }, additionalProperties: !1, expected: "a map with url" }, maxItems: 20, expected: "a list of at most 20 webhooks" }, schedule: { type: "object", required: ["kind", "expression", "overlap"], properties: { kind: { enum: ["interval", "cron"], type: "string", expected: "one of interval, cron" }, expression: { type: "string", minLength: 1, maxLength: 256, expected: 'an interval such as R/2026-01-01T00:00:00Z/PT1H, or a cron line such as "15 3 * * *"' }, epsilon: { type: "number", minimum: 1, maximum: 31536e3, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 1 to 31536000 seconds' }, timezone: { type: "string", minLength: 1, expected: "a time zone such as Europe/Berlin" }, overlap: { enum: ["skip", "allow", "replace"], type: "string", expected: "one of skip, allow, replace" } }, additionalProperties: !1, expected: "an ISO 8601 repeating interval such as R/2026-01-01T00:00:00Z/PT1H, a cron line, or a map" } }, additionalProperties: !1, expected: "a map of manifest keys", $id: "serviceSchema" }, func1 = Object.prototype.hasOwnProperty, func2 = require_ucs2length().default, pattern4 = new RegExp("^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$", "u"), pattern5 = new RegExp("^\\S+$", "u"), pattern6 = new RegExp("^[A-Za-z0-9][A-Za-z0-9_.-]*$", "u"), pattern7 = new RegExp("^[^\\s=]+$", "u"), pattern8 = new RegExp("^[^\\s]+$", "u"), pattern9 = new RegExp("^/", "u"), pattern10 = new RegExp("^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$", "u"), pattern11 = new RegExp(`^(?:/|(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?)$`, "u"), pattern12 = new RegExp(`^(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?$`, "u"), pattern13 = new RegExp("^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?(\\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?)*\\.?$", "u"), pattern15 = new RegExp("^[A-Za-z_][A-Za-z0-9_.-]+$", "u"), pattern16 = new RegExp("^[A-Za-z0-9:_\\s.*/()?+[\\]\\\\^$|-]+$", "u"), pattern17 = new RegExp("^[A-Za-z0-9_.-]{1,128}$", "u"), pattern19 = new RegExp("^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", "u"), pattern21 = new RegExp("^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$", "u"), pattern26 = new RegExp("^[^\\s@<>,;]+@[^\\s@<>,;]+$", "u"), pattern28 = new RegExp("^([\\x21-\\x7e]+|meta\\.[^]+)$", "u"), pattern30 = new RegExp("^(service\\.[A-Za-z0-9_-]{1,63}\\.)?(containermonitor|containerpilot)(\\|(containermonitor|containerpilot))?\\.[A-Za-z_:][A-Za-z0-9_:]*$", "u"), pattern31 = new RegExp("^https?://[^\\s/?#]+\\S*$", "u"), pattern32 = new RegExp("^(whsec_[A-Za-z0-9+/]{32,86}={0,2}|meta\\.[^]+)$", "u");
function validate20(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate20.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.name === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    if (data.service_type === void 0) {
      let err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "service_type" }, message: "must have required property 'service_type'" };
      vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
    }
    if (data.compute_type === void 0) {
      let err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "compute_type" }, message: "must have required property 'compute_type'" };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
    if (data.environment === void 0) {
      let err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "environment" }, message: "must have required property 'environment'" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    if (data.volumes === void 0) {
      let err4 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "volumes" }, message: "must have required property 'volumes'" };
      vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
    }
    if (data.ports === void 0) {
      let err5 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "ports" }, message: "must have required property 'ports'" };
      vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
    }
    if (data.dns === void 0) {
      let err6 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "dns" }, message: "must have required property 'dns'" };
      vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
    }
    if (data["dns-search"] === void 0) {
      let err7 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "dns-search" }, message: "must have required property 'dns-search'" };
      vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
    }
    if (data.labels === void 0) {
      let err8 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "labels" }, message: "must have required property 'labels'" };
      vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
    }
    if (data.affinity === void 0) {
      let err9 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "affinity" }, message: "must have required property 'affinity'" };
      vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
    }
    if (data.restart === void 0) {
      let err10 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "restart" }, message: "must have required property 'restart'" };
      vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
    }
    if (data.stop === void 0) {
      let err11 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "stop" }, message: "must have required property 'stop'" };
      vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
    }
    if (data.triggers === void 0) {
      let err12 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "triggers" }, message: "must have required property 'triggers'" };
      vErrors === null ? vErrors = [err12] : vErrors.push(err12), errors++;
    }
    if (data.webhooks === void 0) {
      let err13 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "webhooks" }, message: "must have required property 'webhooks'" };
      vErrors === null ? vErrors = [err13] : vErrors.push(err13), errors++;
    }
    for (let key0 in data)
      if (!func1.call(schema31.properties, key0)) {
        let err14 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err14] : vErrors.push(err14), errors++;
      }
    if (data.name !== void 0) {
      let data0 = data.name;
      if (typeof data0 == "string") {
        if (!pattern4.test(data0)) {
          let err15 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$" }, message: 'must match pattern "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$"' };
          vErrors === null ? vErrors = [err15] : vErrors.push(err15), errors++;
        }
      } else {
        let err16 = { instancePath: instancePath + "/name", schemaPath: "#/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err16] : vErrors.push(err16), errors++;
      }
    }
    if (data.service_type !== void 0) {
      let data1 = data.service_type;
      if (typeof data1 != "string") {
        let err17 = { instancePath: instancePath + "/service_type", schemaPath: "#/properties/service_type/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err17] : vErrors.push(err17), errors++;
      }
      if (!(data1 === "continuous" || data1 === "scheduled" || data1 === "event")) {
        let err18 = { instancePath: instancePath + "/service_type", schemaPath: "#/properties/service_type/enum", keyword: "enum", params: { allowedValues: schema31.properties.service_type.enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err18] : vErrors.push(err18), errors++;
      }
    }
    if (data.compute_type !== void 0) {
      let data2 = data.compute_type;
      if (typeof data2 != "string") {
        let err19 = { instancePath: instancePath + "/compute_type", schemaPath: "#/properties/compute_type/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err19] : vErrors.push(err19), errors++;
      }
      if (!(data2 === "docker" || data2 === "process" || data2 === "infrastructure" || data2 === "kvm" || data2 === "manta")) {
        let err20 = { instancePath: instancePath + "/compute_type", schemaPath: "#/properties/compute_type/enum", keyword: "enum", params: { allowedValues: schema31.properties.compute_type.enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err20] : vErrors.push(err20), errors++;
      }
    }
    if (data.image !== void 0) {
      let data3 = data.image;
      if (typeof data3 == "string") {
        if (func2(data3) > 512) {
          let err21 = { instancePath: instancePath + "/image", schemaPath: "#/properties/image/maxLength", keyword: "maxLength", params: { limit: 512 }, message: "must NOT have more than 512 characters" };
          vErrors === null ? vErrors = [err21] : vErrors.push(err21), errors++;
        }
        if (func2(data3) < 1) {
          let err22 = { instancePath: instancePath + "/image", schemaPath: "#/properties/image/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err22] : vErrors.push(err22), errors++;
        }
        if (!pattern5.test(data3)) {
          let err23 = { instancePath: instancePath + "/image", schemaPath: "#/properties/image/pattern", keyword: "pattern", params: { pattern: "^\\S+$" }, message: 'must match pattern "^\\S+$"' };
          vErrors === null ? vErrors = [err23] : vErrors.push(err23), errors++;
        }
      } else {
        let err24 = { instancePath: instancePath + "/image", schemaPath: "#/properties/image/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err24] : vErrors.push(err24), errors++;
      }
    }
    if (data.package !== void 0) {
      let data4 = data.package;
      if (typeof data4 == "string") {
        if (func2(data4) > 128) {
          let err25 = { instancePath: instancePath + "/package", schemaPath: "#/properties/package/maxLength", keyword: "maxLength", params: { limit: 128 }, message: "must NOT have more than 128 characters" };
          vErrors === null ? vErrors = [err25] : vErrors.push(err25), errors++;
        }
        if (func2(data4) < 1) {
          let err26 = { instancePath: instancePath + "/package", schemaPath: "#/properties/package/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err26] : vErrors.push(err26), errors++;
        }
        if (!pattern6.test(data4)) {
          let err27 = { instancePath: instancePath + "/package", schemaPath: "#/properties/package/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]*$" }, message: 'must match pattern "^[A-Za-z0-9][A-Za-z0-9_.-]*$"' };
          vErrors === null ? vErrors = [err27] : vErrors.push(err27), errors++;
        }
      } else {
        let err28 = { instancePath: instancePath + "/package", schemaPath: "#/properties/package/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err28] : vErrors.push(err28), errors++;
      }
    }
    if (data.memory !== void 0) {
      let data5 = data.memory;
      if (!(typeof data5 == "number" && !(data5 % 1) && !isNaN(data5) && isFinite(data5))) {
        let err29 = { instancePath: instancePath + "/memory", schemaPath: "#/properties/memory/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err29] : vErrors.push(err29), errors++;
      }
      if (typeof data5 == "number" && isFinite(data5)) {
        if (data5 > 67108864 || isNaN(data5)) {
          let err30 = { instancePath: instancePath + "/memory", schemaPath: "#/properties/memory/maximum", keyword: "maximum", params: { comparison: "<=", limit: 67108864 }, message: "must be <= 67108864" };
          vErrors === null ? vErrors = [err30] : vErrors.push(err30), errors++;
        }
        if (data5 < 4 || isNaN(data5)) {
          let err31 = { instancePath: instancePath + "/memory", schemaPath: "#/properties/memory/minimum", keyword: "minimum", params: { comparison: ">=", limit: 4 }, message: "must be >= 4" };
          vErrors === null ? vErrors = [err31] : vErrors.push(err31), errors++;
        }
      }
    }
    if (data.command !== void 0) {
      let data6 = data.command;
      if (Array.isArray(data6)) {
        let len0 = data6.length;
        for (let i0 = 0; i0 < len0; i0++)
          if (typeof data6[i0] != "string") {
            let err32 = { instancePath: instancePath + "/command/" + i0, schemaPath: "#/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err32] : vErrors.push(err32), errors++;
          }
      } else {
        let err33 = { instancePath: instancePath + "/command", schemaPath: "#/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err33] : vErrors.push(err33), errors++;
      }
    }
    if (data.entrypoint !== void 0) {
      let data8 = data.entrypoint;
      if (Array.isArray(data8)) {
        let len1 = data8.length;
        for (let i1 = 0; i1 < len1; i1++)
          if (typeof data8[i1] != "string") {
            let err34 = { instancePath: instancePath + "/entrypoint/" + i1, schemaPath: "#/properties/entrypoint/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err34] : vErrors.push(err34), errors++;
          }
      } else {
        let err35 = { instancePath: instancePath + "/entrypoint", schemaPath: "#/properties/entrypoint/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err35] : vErrors.push(err35), errors++;
      }
    }
    if (data.environment !== void 0) {
      let data10 = data.environment;
      if (data10 && typeof data10 == "object" && !Array.isArray(data10)) {
        var props0 = {};
        for (let key1 in data10)
          if (pattern7.test(key1)) {
            if (typeof data10[key1] != "string") {
              let err36 = { instancePath: instancePath + "/environment/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/environment/patternProperties/%5E%5B%5E%5Cs%3D%5D%2B%24/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              vErrors === null ? vErrors = [err36] : vErrors.push(err36), errors++;
            }
            props0[key1] = !0;
          }
      } else {
        let err37 = { instancePath: instancePath + "/environment", schemaPath: "#/properties/environment/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err37] : vErrors.push(err37), errors++;
      }
    }
    if (data.user !== void 0) {
      let data12 = data.user;
      if (typeof data12 == "string") {
        if (func2(data12) < 1) {
          let err38 = { instancePath: instancePath + "/user", schemaPath: "#/properties/user/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err38] : vErrors.push(err38), errors++;
        }
        if (!pattern8.test(data12)) {
          let err39 = { instancePath: instancePath + "/user", schemaPath: "#/properties/user/pattern", keyword: "pattern", params: { pattern: "^[^\\s]+$" }, message: 'must match pattern "^[^\\s]+$"' };
          vErrors === null ? vErrors = [err39] : vErrors.push(err39), errors++;
        }
      } else {
        let err40 = { instancePath: instancePath + "/user", schemaPath: "#/properties/user/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err40] : vErrors.push(err40), errors++;
      }
    }
    if (data.working_dir !== void 0) {
      let data13 = data.working_dir;
      if (typeof data13 == "string") {
        if (!pattern9.test(data13)) {
          let err41 = { instancePath: instancePath + "/working_dir", schemaPath: "#/properties/working_dir/pattern", keyword: "pattern", params: { pattern: "^/" }, message: 'must match pattern "^/"' };
          vErrors === null ? vErrors = [err41] : vErrors.push(err41), errors++;
        }
      } else {
        let err42 = { instancePath: instancePath + "/working_dir", schemaPath: "#/properties/working_dir/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err42] : vErrors.push(err42), errors++;
      }
    }
    if (data.volumes !== void 0) {
      let data14 = data.volumes;
      if (Array.isArray(data14)) {
        if (data14.length > 100) {
          let err43 = { instancePath: instancePath + "/volumes", schemaPath: "#/properties/volumes/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
          vErrors === null ? vErrors = [err43] : vErrors.push(err43), errors++;
        }
        let len2 = data14.length;
        for (let i2 = 0; i2 < len2; i2++) {
          let data15 = data14[i2];
          if (data15 && typeof data15 == "object" && !Array.isArray(data15)) {
            if (data15.path === void 0) {
              let err44 = { instancePath: instancePath + "/volumes/" + i2, schemaPath: "#/properties/volumes/items/required", keyword: "required", params: { missingProperty: "path" }, message: "must have required property 'path'" };
              vErrors === null ? vErrors = [err44] : vErrors.push(err44), errors++;
            }
            if (data15.readonly === void 0) {
              let err45 = { instancePath: instancePath + "/volumes/" + i2, schemaPath: "#/properties/volumes/items/required", keyword: "required", params: { missingProperty: "readonly" }, message: "must have required property 'readonly'" };
              vErrors === null ? vErrors = [err45] : vErrors.push(err45), errors++;
            }
            for (let key2 in data15)
              if (!(key2 === "name" || key2 === "host" || key2 === "tmpfs" || key2 === "path" || key2 === "readonly" || key2 === "scope" || key2 === "size")) {
                let err46 = { instancePath: instancePath + "/volumes/" + i2, schemaPath: "#/properties/volumes/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err46] : vErrors.push(err46), errors++;
              }
            if (data15.name !== void 0) {
              let data16 = data15.name;
              if (typeof data16 == "string") {
                if (!pattern10.test(data16)) {
                  let err47 = { instancePath: instancePath + "/volumes/" + i2 + "/name", schemaPath: "#/properties/volumes/items/properties/name/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$" }, message: 'must match pattern "^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$"' };
                  vErrors === null ? vErrors = [err47] : vErrors.push(err47), errors++;
                }
              } else {
                let err48 = { instancePath: instancePath + "/volumes/" + i2 + "/name", schemaPath: "#/properties/volumes/items/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err48] : vErrors.push(err48), errors++;
              }
            }
            if (data15.host !== void 0) {
              let data17 = data15.host;
              if (typeof data17 == "string") {
                if (func2(data17) > 1e3) {
                  let err49 = { instancePath: instancePath + "/volumes/" + i2 + "/host", schemaPath: "#/properties/volumes/items/properties/host/maxLength", keyword: "maxLength", params: { limit: 1e3 }, message: "must NOT have more than 1000 characters" };
                  vErrors === null ? vErrors = [err49] : vErrors.push(err49), errors++;
                }
                if (!pattern11.test(data17)) {
                  let err50 = { instancePath: instancePath + "/volumes/" + i2 + "/host", schemaPath: "#/properties/volumes/items/properties/host/pattern", keyword: "pattern", params: { pattern: `^(?:/|(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?)$` }, message: `must match pattern "^(?:/|(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?)$"` };
                  vErrors === null ? vErrors = [err50] : vErrors.push(err50), errors++;
                }
              } else {
                let err51 = { instancePath: instancePath + "/volumes/" + i2 + "/host", schemaPath: "#/properties/volumes/items/properties/host/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err51] : vErrors.push(err51), errors++;
              }
            }
            if (data15.tmpfs !== void 0) {
              let data18 = data15.tmpfs;
              if (typeof data18 != "boolean") {
                let err52 = { instancePath: instancePath + "/volumes/" + i2 + "/tmpfs", schemaPath: "#/properties/volumes/items/properties/tmpfs/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                vErrors === null ? vErrors = [err52] : vErrors.push(err52), errors++;
              }
              if (data18 !== !0) {
                let err53 = { instancePath: instancePath + "/volumes/" + i2 + "/tmpfs", schemaPath: "#/properties/volumes/items/properties/tmpfs/const", keyword: "const", params: { allowedValue: !0 }, message: "must be equal to constant" };
                vErrors === null ? vErrors = [err53] : vErrors.push(err53), errors++;
              }
            }
            if (data15.path !== void 0) {
              let data19 = data15.path;
              if (typeof data19 == "string") {
                if (func2(data19) > 1e3) {
                  let err54 = { instancePath: instancePath + "/volumes/" + i2 + "/path", schemaPath: "#/properties/volumes/items/properties/path/maxLength", keyword: "maxLength", params: { limit: 1e3 }, message: "must NOT have more than 1000 characters" };
                  vErrors === null ? vErrors = [err54] : vErrors.push(err54), errors++;
                }
                if (!pattern12.test(data19)) {
                  let err55 = { instancePath: instancePath + "/volumes/" + i2 + "/path", schemaPath: "#/properties/volumes/items/properties/path/pattern", keyword: "pattern", params: { pattern: `^(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?$` }, message: `must match pattern "^(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?$"` };
                  vErrors === null ? vErrors = [err55] : vErrors.push(err55), errors++;
                }
              } else {
                let err56 = { instancePath: instancePath + "/volumes/" + i2 + "/path", schemaPath: "#/properties/volumes/items/properties/path/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err56] : vErrors.push(err56), errors++;
              }
            }
            if (data15.readonly !== void 0 && typeof data15.readonly != "boolean") {
              let err57 = { instancePath: instancePath + "/volumes/" + i2 + "/readonly", schemaPath: "#/properties/volumes/items/properties/readonly/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
              vErrors === null ? vErrors = [err57] : vErrors.push(err57), errors++;
            }
            if (data15.scope !== void 0) {
              let data21 = data15.scope;
              if (typeof data21 != "string") {
                let err58 = { instancePath: instancePath + "/volumes/" + i2 + "/scope", schemaPath: "#/properties/volumes/items/properties/scope/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err58] : vErrors.push(err58), errors++;
              }
              if (!(data21 === "instance" || data21 === "service")) {
                let err59 = { instancePath: instancePath + "/volumes/" + i2 + "/scope", schemaPath: "#/properties/volumes/items/properties/scope/enum", keyword: "enum", params: { allowedValues: schema31.properties.volumes.items.properties.scope.enum }, message: "must be equal to one of the allowed values" };
                vErrors === null ? vErrors = [err59] : vErrors.push(err59), errors++;
              }
            }
            if (data15.size !== void 0) {
              let data22 = data15.size;
              if (!(typeof data22 == "number" && !(data22 % 1) && !isNaN(data22) && isFinite(data22))) {
                let err60 = { instancePath: instancePath + "/volumes/" + i2 + "/size", schemaPath: "#/properties/volumes/items/properties/size/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err60] : vErrors.push(err60), errors++;
              }
              if (typeof data22 == "number" && isFinite(data22)) {
                if (data22 > 1048576 || isNaN(data22)) {
                  let err61 = { instancePath: instancePath + "/volumes/" + i2 + "/size", schemaPath: "#/properties/volumes/items/properties/size/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1048576 }, message: "must be <= 1048576" };
                  vErrors === null ? vErrors = [err61] : vErrors.push(err61), errors++;
                }
                if (data22 < 1 || isNaN(data22)) {
                  let err62 = { instancePath: instancePath + "/volumes/" + i2 + "/size", schemaPath: "#/properties/volumes/items/properties/size/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                  vErrors === null ? vErrors = [err62] : vErrors.push(err62), errors++;
                }
              }
            }
          } else {
            let err63 = { instancePath: instancePath + "/volumes/" + i2, schemaPath: "#/properties/volumes/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err63] : vErrors.push(err63), errors++;
          }
        }
      } else {
        let err64 = { instancePath: instancePath + "/volumes", schemaPath: "#/properties/volumes/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err64] : vErrors.push(err64), errors++;
      }
    }
    if (data.ports !== void 0) {
      let data23 = data.ports;
      if (Array.isArray(data23)) {
        if (data23.length > 1e3) {
          let err65 = { instancePath: instancePath + "/ports", schemaPath: "#/properties/ports/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" };
          vErrors === null ? vErrors = [err65] : vErrors.push(err65), errors++;
        }
        let len3 = data23.length;
        for (let i3 = 0; i3 < len3; i3++) {
          let data24 = data23[i3];
          if (data24 && typeof data24 == "object" && !Array.isArray(data24)) {
            if (data24.container === void 0) {
              let err66 = { instancePath: instancePath + "/ports/" + i3, schemaPath: "#/properties/ports/items/required", keyword: "required", params: { missingProperty: "container" }, message: "must have required property 'container'" };
              vErrors === null ? vErrors = [err66] : vErrors.push(err66), errors++;
            }
            if (data24.protocol === void 0) {
              let err67 = { instancePath: instancePath + "/ports/" + i3, schemaPath: "#/properties/ports/items/required", keyword: "required", params: { missingProperty: "protocol" }, message: "must have required property 'protocol'" };
              vErrors === null ? vErrors = [err67] : vErrors.push(err67), errors++;
            }
            for (let key3 in data24)
              if (!(key3 === "ip" || key3 === "host" || key3 === "container" || key3 === "protocol")) {
                let err68 = { instancePath: instancePath + "/ports/" + i3, schemaPath: "#/properties/ports/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key3 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err68] : vErrors.push(err68), errors++;
              }
            if (data24.ip !== void 0 && typeof data24.ip != "string") {
              let err69 = { instancePath: instancePath + "/ports/" + i3 + "/ip", schemaPath: "#/properties/ports/items/properties/ip/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              vErrors === null ? vErrors = [err69] : vErrors.push(err69), errors++;
            }
            if (data24.host !== void 0) {
              let data26 = data24.host;
              if (!(typeof data26 == "number" && !(data26 % 1) && !isNaN(data26) && isFinite(data26))) {
                let err70 = { instancePath: instancePath + "/ports/" + i3 + "/host", schemaPath: "#/properties/ports/items/properties/host/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err70] : vErrors.push(err70), errors++;
              }
              if (typeof data26 == "number" && isFinite(data26)) {
                if (data26 > 65535 || isNaN(data26)) {
                  let err71 = { instancePath: instancePath + "/ports/" + i3 + "/host", schemaPath: "#/properties/ports/items/properties/host/maximum", keyword: "maximum", params: { comparison: "<=", limit: 65535 }, message: "must be <= 65535" };
                  vErrors === null ? vErrors = [err71] : vErrors.push(err71), errors++;
                }
                if (data26 < 0 || isNaN(data26)) {
                  let err72 = { instancePath: instancePath + "/ports/" + i3 + "/host", schemaPath: "#/properties/ports/items/properties/host/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                  vErrors === null ? vErrors = [err72] : vErrors.push(err72), errors++;
                }
              }
            }
            if (data24.container !== void 0) {
              let data27 = data24.container;
              if (!(typeof data27 == "number" && !(data27 % 1) && !isNaN(data27) && isFinite(data27))) {
                let err73 = { instancePath: instancePath + "/ports/" + i3 + "/container", schemaPath: "#/properties/ports/items/properties/container/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err73] : vErrors.push(err73), errors++;
              }
              if (typeof data27 == "number" && isFinite(data27)) {
                if (data27 > 65535 || isNaN(data27)) {
                  let err74 = { instancePath: instancePath + "/ports/" + i3 + "/container", schemaPath: "#/properties/ports/items/properties/container/maximum", keyword: "maximum", params: { comparison: "<=", limit: 65535 }, message: "must be <= 65535" };
                  vErrors === null ? vErrors = [err74] : vErrors.push(err74), errors++;
                }
                if (data27 < 1 || isNaN(data27)) {
                  let err75 = { instancePath: instancePath + "/ports/" + i3 + "/container", schemaPath: "#/properties/ports/items/properties/container/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                  vErrors === null ? vErrors = [err75] : vErrors.push(err75), errors++;
                }
              }
            }
            if (data24.protocol !== void 0) {
              let data28 = data24.protocol;
              if (typeof data28 != "string") {
                let err76 = { instancePath: instancePath + "/ports/" + i3 + "/protocol", schemaPath: "#/properties/ports/items/properties/protocol/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err76] : vErrors.push(err76), errors++;
              }
              if (!(data28 === "tcp" || data28 === "udp")) {
                let err77 = { instancePath: instancePath + "/ports/" + i3 + "/protocol", schemaPath: "#/properties/ports/items/properties/protocol/enum", keyword: "enum", params: { allowedValues: schema31.properties.ports.items.properties.protocol.enum }, message: "must be equal to one of the allowed values" };
                vErrors === null ? vErrors = [err77] : vErrors.push(err77), errors++;
              }
            }
          } else {
            let err78 = { instancePath: instancePath + "/ports/" + i3, schemaPath: "#/properties/ports/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err78] : vErrors.push(err78), errors++;
          }
        }
      } else {
        let err79 = { instancePath: instancePath + "/ports", schemaPath: "#/properties/ports/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err79] : vErrors.push(err79), errors++;
      }
    }
    if (data.dns !== void 0) {
      let data29 = data.dns;
      if (Array.isArray(data29)) {
        if (data29.length > 10) {
          let err80 = { instancePath: instancePath + "/dns", schemaPath: "#/properties/dns/maxItems", keyword: "maxItems", params: { limit: 10 }, message: "must NOT have more than 10 items" };
          vErrors === null ? vErrors = [err80] : vErrors.push(err80), errors++;
        }
        let len4 = data29.length;
        for (let i4 = 0; i4 < len4; i4++) {
          let data30 = data29[i4];
          if (typeof data30 == "string") {
            if (func2(data30) < 2) {
              let err81 = { instancePath: instancePath + "/dns/" + i4, schemaPath: "#/properties/dns/items/minLength", keyword: "minLength", params: { limit: 2 }, message: "must NOT have fewer than 2 characters" };
              vErrors === null ? vErrors = [err81] : vErrors.push(err81), errors++;
            }
          } else {
            let err82 = { instancePath: instancePath + "/dns/" + i4, schemaPath: "#/properties/dns/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err82] : vErrors.push(err82), errors++;
          }
        }
      } else {
        let err83 = { instancePath: instancePath + "/dns", schemaPath: "#/properties/dns/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err83] : vErrors.push(err83), errors++;
      }
    }
    if (data["dns-search"] !== void 0) {
      let data31 = data["dns-search"];
      if (Array.isArray(data31)) {
        if (data31.length > 32) {
          let err84 = { instancePath: instancePath + "/dns-search", schemaPath: "#/properties/dns-search/maxItems", keyword: "maxItems", params: { limit: 32 }, message: "must NOT have more than 32 items" };
          vErrors === null ? vErrors = [err84] : vErrors.push(err84), errors++;
        }
        let len5 = data31.length;
        for (let i5 = 0; i5 < len5; i5++) {
          let data32 = data31[i5];
          if (typeof data32 == "string") {
            if (!pattern13.test(data32)) {
              let err85 = { instancePath: instancePath + "/dns-search/" + i5, schemaPath: "#/properties/dns-search/items/pattern", keyword: "pattern", params: { pattern: "^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?(\\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?)*\\.?$" }, message: 'must match pattern "^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?(\\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?)*\\.?$"' };
              vErrors === null ? vErrors = [err85] : vErrors.push(err85), errors++;
            }
          } else {
            let err86 = { instancePath: instancePath + "/dns-search/" + i5, schemaPath: "#/properties/dns-search/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err86] : vErrors.push(err86), errors++;
          }
        }
      } else {
        let err87 = { instancePath: instancePath + "/dns-search", schemaPath: "#/properties/dns-search/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err87] : vErrors.push(err87), errors++;
      }
    }
    if (data.cns !== void 0) {
      let data33 = data.cns;
      if (data33 && typeof data33 == "object" && !Array.isArray(data33)) {
        for (let key4 in data33)
          if (!(key4 === "services" || key4 === "ttl" || key4 === "disable")) {
            let err88 = { instancePath: instancePath + "/cns", schemaPath: "#/properties/cns/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key4 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err88] : vErrors.push(err88), errors++;
          }
        if (data33.services !== void 0) {
          let data34 = data33.services;
          if (Array.isArray(data34)) {
            if (data34.length > 100) {
              let err89 = { instancePath: instancePath + "/cns/services", schemaPath: "#/properties/cns/properties/services/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
              vErrors === null ? vErrors = [err89] : vErrors.push(err89), errors++;
            }
            let len6 = data34.length;
            for (let i6 = 0; i6 < len6; i6++) {
              let data35 = data34[i6];
              if (typeof data35 == "string") {
                if (func2(data35) < 1) {
                  let err90 = { instancePath: instancePath + "/cns/services/" + i6, schemaPath: "#/properties/cns/properties/services/items/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                  vErrors === null ? vErrors = [err90] : vErrors.push(err90), errors++;
                }
              } else {
                let err91 = { instancePath: instancePath + "/cns/services/" + i6, schemaPath: "#/properties/cns/properties/services/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err91] : vErrors.push(err91), errors++;
              }
            }
          } else {
            let err92 = { instancePath: instancePath + "/cns/services", schemaPath: "#/properties/cns/properties/services/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            vErrors === null ? vErrors = [err92] : vErrors.push(err92), errors++;
          }
        }
        if (data33.ttl !== void 0) {
          let data36 = data33.ttl;
          if (!(typeof data36 == "number" && !(data36 % 1) && !isNaN(data36) && isFinite(data36))) {
            let err93 = { instancePath: instancePath + "/cns/ttl", schemaPath: "#/properties/cns/properties/ttl/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err93] : vErrors.push(err93), errors++;
          }
          if (typeof data36 == "number" && isFinite(data36)) {
            if (data36 > 3600 || isNaN(data36)) {
              let err94 = { instancePath: instancePath + "/cns/ttl", schemaPath: "#/properties/cns/properties/ttl/maximum", keyword: "maximum", params: { comparison: "<=", limit: 3600 }, message: "must be <= 3600" };
              vErrors === null ? vErrors = [err94] : vErrors.push(err94), errors++;
            }
            if (data36 < 0 || isNaN(data36)) {
              let err95 = { instancePath: instancePath + "/cns/ttl", schemaPath: "#/properties/cns/properties/ttl/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
              vErrors === null ? vErrors = [err95] : vErrors.push(err95), errors++;
            }
          }
        }
        if (data33.disable !== void 0 && typeof data33.disable != "boolean") {
          let err96 = { instancePath: instancePath + "/cns/disable", schemaPath: "#/properties/cns/properties/disable/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
          vErrors === null ? vErrors = [err96] : vErrors.push(err96), errors++;
        }
      } else {
        let err97 = { instancePath: instancePath + "/cns", schemaPath: "#/properties/cns/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err97] : vErrors.push(err97), errors++;
      }
    }
    if (data.labels !== void 0) {
      let data38 = data.labels;
      if (data38 && typeof data38 == "object" && !Array.isArray(data38)) {
        var props1 = {};
        for (let key5 in data38)
          if (pattern7.test(key5)) {
            if (typeof data38[key5] != "string") {
              let err98 = { instancePath: instancePath + "/labels/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/labels/patternProperties/%5E%5B%5E%5Cs%3D%5D%2B%24/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              vErrors === null ? vErrors = [err98] : vErrors.push(err98), errors++;
            }
            props1[key5] = !0;
          }
      } else {
        let err99 = { instancePath: instancePath + "/labels", schemaPath: "#/properties/labels/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err99] : vErrors.push(err99), errors++;
      }
    }
    if (data.affinity !== void 0) {
      let data40 = data.affinity;
      if (Array.isArray(data40)) {
        if (data40.length > 100) {
          let err100 = { instancePath: instancePath + "/affinity", schemaPath: "#/properties/affinity/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
          vErrors === null ? vErrors = [err100] : vErrors.push(err100), errors++;
        }
        let len7 = data40.length;
        for (let i7 = 0; i7 < len7; i7++) {
          let data41 = data40[i7];
          if (data41 && typeof data41 == "object" && !Array.isArray(data41)) {
            if (data41.key === void 0) {
              let err101 = { instancePath: instancePath + "/affinity/" + i7, schemaPath: "#/properties/affinity/items/required", keyword: "required", params: { missingProperty: "key" }, message: "must have required property 'key'" };
              vErrors === null ? vErrors = [err101] : vErrors.push(err101), errors++;
            }
            if (data41.operator === void 0) {
              let err102 = { instancePath: instancePath + "/affinity/" + i7, schemaPath: "#/properties/affinity/items/required", keyword: "required", params: { missingProperty: "operator" }, message: "must have required property 'operator'" };
              vErrors === null ? vErrors = [err102] : vErrors.push(err102), errors++;
            }
            if (data41.value === void 0) {
              let err103 = { instancePath: instancePath + "/affinity/" + i7, schemaPath: "#/properties/affinity/items/required", keyword: "required", params: { missingProperty: "value" }, message: "must have required property 'value'" };
              vErrors === null ? vErrors = [err103] : vErrors.push(err103), errors++;
            }
            for (let key6 in data41)
              if (!(key6 === "key" || key6 === "operator" || key6 === "value" || key6 === "by")) {
                let err104 = { instancePath: instancePath + "/affinity/" + i7, schemaPath: "#/properties/affinity/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key6 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err104] : vErrors.push(err104), errors++;
              }
            if (data41.key !== void 0) {
              let data42 = data41.key;
              if (typeof data42 == "string") {
                if (!pattern15.test(data42)) {
                  let err105 = { instancePath: instancePath + "/affinity/" + i7 + "/key", schemaPath: "#/properties/affinity/items/properties/key/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z_][A-Za-z0-9_.-]+$" }, message: 'must match pattern "^[A-Za-z_][A-Za-z0-9_.-]+$"' };
                  vErrors === null ? vErrors = [err105] : vErrors.push(err105), errors++;
                }
              } else {
                let err106 = { instancePath: instancePath + "/affinity/" + i7 + "/key", schemaPath: "#/properties/affinity/items/properties/key/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err106] : vErrors.push(err106), errors++;
              }
            }
            if (data41.operator !== void 0) {
              let data43 = data41.operator;
              if (typeof data43 != "string") {
                let err107 = { instancePath: instancePath + "/affinity/" + i7 + "/operator", schemaPath: "#/properties/affinity/items/properties/operator/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err107] : vErrors.push(err107), errors++;
              }
              if (!(data43 === "==" || data43 === "!=" || data43 === "==~" || data43 === "!=~")) {
                let err108 = { instancePath: instancePath + "/affinity/" + i7 + "/operator", schemaPath: "#/properties/affinity/items/properties/operator/enum", keyword: "enum", params: { allowedValues: schema31.properties.affinity.items.properties.operator.enum }, message: "must be equal to one of the allowed values" };
                vErrors === null ? vErrors = [err108] : vErrors.push(err108), errors++;
              }
            }
            if (data41.value !== void 0) {
              let data44 = data41.value;
              if (typeof data44 == "string") {
                if (func2(data44) > 256) {
                  let err109 = { instancePath: instancePath + "/affinity/" + i7 + "/value", schemaPath: "#/properties/affinity/items/properties/value/maxLength", keyword: "maxLength", params: { limit: 256 }, message: "must NOT have more than 256 characters" };
                  vErrors === null ? vErrors = [err109] : vErrors.push(err109), errors++;
                }
                if (!pattern16.test(data44)) {
                  let err110 = { instancePath: instancePath + "/affinity/" + i7 + "/value", schemaPath: "#/properties/affinity/items/properties/value/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9:_\\s.*/()?+[\\]\\\\^$|-]+$" }, message: 'must match pattern "^[A-Za-z0-9:_\\s.*/()?+[\\]\\\\^$|-]+$"' };
                  vErrors === null ? vErrors = [err110] : vErrors.push(err110), errors++;
                }
              } else {
                let err111 = { instancePath: instancePath + "/affinity/" + i7 + "/value", schemaPath: "#/properties/affinity/items/properties/value/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err111] : vErrors.push(err111), errors++;
              }
            }
            if (data41.by !== void 0) {
              let data45 = data41.by;
              if (typeof data45 == "string") {
                if (!pattern17.test(data45)) {
                  let err112 = { instancePath: instancePath + "/affinity/" + i7 + "/by", schemaPath: "#/properties/affinity/items/properties/by/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9_.-]{1,128}$" }, message: 'must match pattern "^[A-Za-z0-9_.-]{1,128}$"' };
                  vErrors === null ? vErrors = [err112] : vErrors.push(err112), errors++;
                }
              } else {
                let err113 = { instancePath: instancePath + "/affinity/" + i7 + "/by", schemaPath: "#/properties/affinity/items/properties/by/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err113] : vErrors.push(err113), errors++;
              }
            }
          } else {
            let err114 = { instancePath: instancePath + "/affinity/" + i7, schemaPath: "#/properties/affinity/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err114] : vErrors.push(err114), errors++;
          }
        }
      } else {
        let err115 = { instancePath: instancePath + "/affinity", schemaPath: "#/properties/affinity/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err115] : vErrors.push(err115), errors++;
      }
    }
    if (data.spread !== void 0) {
      let data46 = data.spread;
      if (typeof data46 == "string") {
        if (!pattern17.test(data46)) {
          let err116 = { instancePath: instancePath + "/spread", schemaPath: "#/properties/spread/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9_.-]{1,128}$" }, message: 'must match pattern "^[A-Za-z0-9_.-]{1,128}$"' };
          vErrors === null ? vErrors = [err116] : vErrors.push(err116), errors++;
        }
      } else {
        let err117 = { instancePath: instancePath + "/spread", schemaPath: "#/properties/spread/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err117] : vErrors.push(err117), errors++;
      }
    }
    if (data.restart !== void 0) {
      let data47 = data.restart;
      if (data47 && typeof data47 == "object" && !Array.isArray(data47)) {
        if (data47.policy === void 0) {
          let err118 = { instancePath: instancePath + "/restart", schemaPath: "#/properties/restart/required", keyword: "required", params: { missingProperty: "policy" }, message: "must have required property 'policy'" };
          vErrors === null ? vErrors = [err118] : vErrors.push(err118), errors++;
        }
        for (let key7 in data47)
          if (!(key7 === "policy" || key7 === "max")) {
            let err119 = { instancePath: instancePath + "/restart", schemaPath: "#/properties/restart/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key7 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err119] : vErrors.push(err119), errors++;
          }
        if (data47.policy !== void 0) {
          let data48 = data47.policy;
          if (typeof data48 != "string") {
            let err120 = { instancePath: instancePath + "/restart/policy", schemaPath: "#/properties/restart/properties/policy/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err120] : vErrors.push(err120), errors++;
          }
          if (!(data48 === "no" || data48 === "on-failure" || data48 === "always" || data48 === "unless-stopped")) {
            let err121 = { instancePath: instancePath + "/restart/policy", schemaPath: "#/properties/restart/properties/policy/enum", keyword: "enum", params: { allowedValues: schema31.properties.restart.properties.policy.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err121] : vErrors.push(err121), errors++;
          }
        }
        if (data47.max !== void 0) {
          let data49 = data47.max;
          if (!(typeof data49 == "number" && !(data49 % 1) && !isNaN(data49) && isFinite(data49))) {
            let err122 = { instancePath: instancePath + "/restart/max", schemaPath: "#/properties/restart/properties/max/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err122] : vErrors.push(err122), errors++;
          }
          if (typeof data49 == "number" && isFinite(data49)) {
            if (data49 > 1e6 || isNaN(data49)) {
              let err123 = { instancePath: instancePath + "/restart/max", schemaPath: "#/properties/restart/properties/max/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e6 }, message: "must be <= 1000000" };
              vErrors === null ? vErrors = [err123] : vErrors.push(err123), errors++;
            }
            if (data49 < 1 || isNaN(data49)) {
              let err124 = { instancePath: instancePath + "/restart/max", schemaPath: "#/properties/restart/properties/max/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              vErrors === null ? vErrors = [err124] : vErrors.push(err124), errors++;
            }
          }
        }
      } else {
        let err125 = { instancePath: instancePath + "/restart", schemaPath: "#/properties/restart/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err125] : vErrors.push(err125), errors++;
      }
    }
    if (data.stop !== void 0) {
      let data50 = data.stop;
      if (data50 && typeof data50 == "object" && !Array.isArray(data50)) {
        if (data50.timeout === void 0) {
          let err126 = { instancePath: instancePath + "/stop", schemaPath: "#/properties/stop/required", keyword: "required", params: { missingProperty: "timeout" }, message: "must have required property 'timeout'" };
          vErrors === null ? vErrors = [err126] : vErrors.push(err126), errors++;
        }
        if (data50.preservestopped === void 0) {
          let err127 = { instancePath: instancePath + "/stop", schemaPath: "#/properties/stop/required", keyword: "required", params: { missingProperty: "preservestopped" }, message: "must have required property 'preservestopped'" };
          vErrors === null ? vErrors = [err127] : vErrors.push(err127), errors++;
        }
        for (let key8 in data50)
          if (!(key8 === "timeout" || key8 === "preservestopped")) {
            let err128 = { instancePath: instancePath + "/stop", schemaPath: "#/properties/stop/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key8 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err128] : vErrors.push(err128), errors++;
          }
        if (data50.timeout !== void 0) {
          let data51 = data50.timeout;
          if (!(typeof data51 == "number" && !(data51 % 1) && !isNaN(data51) && isFinite(data51))) {
            let err129 = { instancePath: instancePath + "/stop/timeout", schemaPath: "#/properties/stop/properties/timeout/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err129] : vErrors.push(err129), errors++;
          }
          if (typeof data51 == "number" && isFinite(data51)) {
            if (data51 > 1e9 || isNaN(data51)) {
              let err130 = { instancePath: instancePath + "/stop/timeout", schemaPath: "#/properties/stop/properties/timeout/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e9 }, message: "must be <= 1000000000" };
              vErrors === null ? vErrors = [err130] : vErrors.push(err130), errors++;
            }
            if (data51 < -1e9 || isNaN(data51)) {
              let err131 = { instancePath: instancePath + "/stop/timeout", schemaPath: "#/properties/stop/properties/timeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1e9 }, message: "must be >= -1000000000" };
              vErrors === null ? vErrors = [err131] : vErrors.push(err131), errors++;
            }
          }
        }
        if (data50.preservestopped !== void 0) {
          let data52 = data50.preservestopped;
          if (typeof data52 != "string") {
            let err132 = { instancePath: instancePath + "/stop/preservestopped", schemaPath: "#/properties/stop/properties/preservestopped/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err132] : vErrors.push(err132), errors++;
          }
          if (!(data52 === "on-failure" || data52 === "no" || data52 === "always")) {
            let err133 = { instancePath: instancePath + "/stop/preservestopped", schemaPath: "#/properties/stop/properties/preservestopped/enum", keyword: "enum", params: { allowedValues: schema31.properties.stop.properties.preservestopped.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err133] : vErrors.push(err133), errors++;
          }
        }
      } else {
        let err134 = { instancePath: instancePath + "/stop", schemaPath: "#/properties/stop/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err134] : vErrors.push(err134), errors++;
      }
    }
    if (data.healthchecks !== void 0) {
      let data53 = data.healthchecks;
      if (Array.isArray(data53)) {
        if (data53.length > 20) {
          let err135 = { instancePath: instancePath + "/healthchecks", schemaPath: "#/properties/healthchecks/maxItems", keyword: "maxItems", params: { limit: 20 }, message: "must NOT have more than 20 items" };
          vErrors === null ? vErrors = [err135] : vErrors.push(err135), errors++;
        }
        let len8 = data53.length;
        for (let i8 = 0; i8 < len8; i8++) {
          let data54 = data53[i8];
          if (data54 && typeof data54 == "object" && !Array.isArray(data54)) {
            if (data54.type === void 0) {
              let err136 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'" };
              vErrors === null ? vErrors = [err136] : vErrors.push(err136), errors++;
            }
            let tag0 = data54.type;
            if (typeof tag0 == "string")
              if (tag0 === "http") {
                if (data54 && typeof data54 == "object" && !Array.isArray(data54)) {
                  if (data54.type === void 0) {
                    let err137 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'" };
                    vErrors === null ? vErrors = [err137] : vErrors.push(err137), errors++;
                  }
                  if (data54.network === void 0) {
                    let err138 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "network" }, message: "must have required property 'network'" };
                    vErrors === null ? vErrors = [err138] : vErrors.push(err138), errors++;
                  }
                  if (data54.port === void 0) {
                    let err139 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "port" }, message: "must have required property 'port'" };
                    vErrors === null ? vErrors = [err139] : vErrors.push(err139), errors++;
                  }
                  if (data54.path === void 0) {
                    let err140 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "path" }, message: "must have required property 'path'" };
                    vErrors === null ? vErrors = [err140] : vErrors.push(err140), errors++;
                  }
                  if (data54.poll === void 0) {
                    let err141 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "poll" }, message: "must have required property 'poll'" };
                    vErrors === null ? vErrors = [err141] : vErrors.push(err141), errors++;
                  }
                  if (data54.timeout === void 0) {
                    let err142 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "timeout" }, message: "must have required property 'timeout'" };
                    vErrors === null ? vErrors = [err142] : vErrors.push(err142), errors++;
                  }
                  if (data54.retries === void 0) {
                    let err143 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "retries" }, message: "must have required property 'retries'" };
                    vErrors === null ? vErrors = [err143] : vErrors.push(err143), errors++;
                  }
                  for (let key9 in data54)
                    if (!func1.call(schema31.properties.healthchecks.items.oneOf[0].properties, key9)) {
                      let err144 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key9 }, message: "must NOT have additional properties" };
                      vErrors === null ? vErrors = [err144] : vErrors.push(err144), errors++;
                    }
                  if (data54.type !== void 0) {
                    let data55 = data54.type;
                    if (typeof data55 != "string") {
                      let err145 = { instancePath: instancePath + "/healthchecks/" + i8 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/type/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err145] : vErrors.push(err145), errors++;
                    }
                    if (!(data55 === "http" || data55 === "https")) {
                      let err146 = { instancePath: instancePath + "/healthchecks/" + i8 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/type/enum", keyword: "enum", params: { allowedValues: schema31.properties.healthchecks.items.oneOf[0].properties.type.enum }, message: "must be equal to one of the allowed values" };
                      vErrors === null ? vErrors = [err146] : vErrors.push(err146), errors++;
                    }
                  }
                  if (data54.network !== void 0) {
                    let data56 = data54.network;
                    if (typeof data56 == "string") {
                      if (func2(data56) > 64) {
                        let err147 = { instancePath: instancePath + "/healthchecks/" + i8 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
                        vErrors === null ? vErrors = [err147] : vErrors.push(err147), errors++;
                      }
                      if (func2(data56) < 1) {
                        let err148 = { instancePath: instancePath + "/healthchecks/" + i8 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                        vErrors === null ? vErrors = [err148] : vErrors.push(err148), errors++;
                      }
                      if (!pattern19.test(data56)) {
                        let err149 = { instancePath: instancePath + "/healthchecks/" + i8 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$"' };
                        vErrors === null ? vErrors = [err149] : vErrors.push(err149), errors++;
                      }
                    } else {
                      let err150 = { instancePath: instancePath + "/healthchecks/" + i8 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err150] : vErrors.push(err150), errors++;
                    }
                  }
                  if (data54.port !== void 0) {
                    let data57 = data54.port;
                    if (!(typeof data57 == "number" && !(data57 % 1) && !isNaN(data57) && isFinite(data57))) {
                      let err151 = { instancePath: instancePath + "/healthchecks/" + i8 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/port/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err151] : vErrors.push(err151), errors++;
                    }
                    if (typeof data57 == "number" && isFinite(data57)) {
                      if (data57 > 65535 || isNaN(data57)) {
                        let err152 = { instancePath: instancePath + "/healthchecks/" + i8 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/port/maximum", keyword: "maximum", params: { comparison: "<=", limit: 65535 }, message: "must be <= 65535" };
                        vErrors === null ? vErrors = [err152] : vErrors.push(err152), errors++;
                      }
                      if (data57 < 1 || isNaN(data57)) {
                        let err153 = { instancePath: instancePath + "/healthchecks/" + i8 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/port/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                        vErrors === null ? vErrors = [err153] : vErrors.push(err153), errors++;
                      }
                    }
                  }
                  if (data54.path !== void 0) {
                    let data58 = data54.path;
                    if (typeof data58 == "string") {
                      if (!pattern9.test(data58)) {
                        let err154 = { instancePath: instancePath + "/healthchecks/" + i8 + "/path", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/path/pattern", keyword: "pattern", params: { pattern: "^/" }, message: 'must match pattern "^/"' };
                        vErrors === null ? vErrors = [err154] : vErrors.push(err154), errors++;
                      }
                    } else {
                      let err155 = { instancePath: instancePath + "/healthchecks/" + i8 + "/path", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/path/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err155] : vErrors.push(err155), errors++;
                    }
                  }
                  if (data54.poll !== void 0) {
                    let data59 = data54.poll;
                    if (typeof data59 == "number" && isFinite(data59)) {
                      if (data59 > 86400 || isNaN(data59)) {
                        let err156 = { instancePath: instancePath + "/healthchecks/" + i8 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/poll/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err156] : vErrors.push(err156), errors++;
                      }
                      if (data59 < 0.1 || isNaN(data59)) {
                        let err157 = { instancePath: instancePath + "/healthchecks/" + i8 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/poll/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err157] : vErrors.push(err157), errors++;
                      }
                    } else {
                      let err158 = { instancePath: instancePath + "/healthchecks/" + i8 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/poll/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err158] : vErrors.push(err158), errors++;
                    }
                  }
                  if (data54.timeout !== void 0) {
                    let data60 = data54.timeout;
                    if (typeof data60 == "number" && isFinite(data60)) {
                      if (data60 > 3600 || isNaN(data60)) {
                        let err159 = { instancePath: instancePath + "/healthchecks/" + i8 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/timeout/maximum", keyword: "maximum", params: { comparison: "<=", limit: 3600 }, message: "must be <= 3600" };
                        vErrors === null ? vErrors = [err159] : vErrors.push(err159), errors++;
                      }
                      if (data60 < 0.01 || isNaN(data60)) {
                        let err160 = { instancePath: instancePath + "/healthchecks/" + i8 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/timeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.01 }, message: "must be >= 0.01" };
                        vErrors === null ? vErrors = [err160] : vErrors.push(err160), errors++;
                      }
                    } else {
                      let err161 = { instancePath: instancePath + "/healthchecks/" + i8 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/timeout/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err161] : vErrors.push(err161), errors++;
                    }
                  }
                  if (data54.retries !== void 0) {
                    let data61 = data54.retries;
                    if (!(typeof data61 == "number" && !(data61 % 1) && !isNaN(data61) && isFinite(data61))) {
                      let err162 = { instancePath: instancePath + "/healthchecks/" + i8 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/retries/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err162] : vErrors.push(err162), errors++;
                    }
                    if (typeof data61 == "number" && isFinite(data61)) {
                      if (data61 > 1e3 || isNaN(data61)) {
                        let err163 = { instancePath: instancePath + "/healthchecks/" + i8 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/retries/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" };
                        vErrors === null ? vErrors = [err163] : vErrors.push(err163), errors++;
                      }
                      if (data61 < 1 || isNaN(data61)) {
                        let err164 = { instancePath: instancePath + "/healthchecks/" + i8 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/retries/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                        vErrors === null ? vErrors = [err164] : vErrors.push(err164), errors++;
                      }
                    }
                  }
                  if (data54.start_period !== void 0) {
                    let data62 = data54.start_period;
                    if (typeof data62 == "number" && isFinite(data62)) {
                      if (data62 > 86400 || isNaN(data62)) {
                        let err165 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_period/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err165] : vErrors.push(err165), errors++;
                      }
                      if (data62 < 0 || isNaN(data62)) {
                        let err166 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_period/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                        vErrors === null ? vErrors = [err166] : vErrors.push(err166), errors++;
                      }
                    } else {
                      let err167 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_period/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err167] : vErrors.push(err167), errors++;
                    }
                  }
                  if (data54.start_interval !== void 0) {
                    let data63 = data54.start_interval;
                    if (typeof data63 == "number" && isFinite(data63)) {
                      if (data63 > 86400 || isNaN(data63)) {
                        let err168 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_interval/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err168] : vErrors.push(err168), errors++;
                      }
                      if (data63 < 0.1 || isNaN(data63)) {
                        let err169 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_interval/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err169] : vErrors.push(err169), errors++;
                      }
                    } else {
                      let err170 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_interval/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err170] : vErrors.push(err170), errors++;
                    }
                  }
                  if (data54.redirects !== void 0) {
                    let data64 = data54.redirects;
                    if (!(typeof data64 == "number" && !(data64 % 1) && !isNaN(data64) && isFinite(data64))) {
                      let err171 = { instancePath: instancePath + "/healthchecks/" + i8 + "/redirects", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/redirects/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err171] : vErrors.push(err171), errors++;
                    }
                    if (typeof data64 == "number" && isFinite(data64)) {
                      if (data64 > 10 || isNaN(data64)) {
                        let err172 = { instancePath: instancePath + "/healthchecks/" + i8 + "/redirects", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/redirects/maximum", keyword: "maximum", params: { comparison: "<=", limit: 10 }, message: "must be <= 10" };
                        vErrors === null ? vErrors = [err172] : vErrors.push(err172), errors++;
                      }
                      if (data64 < 0 || isNaN(data64)) {
                        let err173 = { instancePath: instancePath + "/healthchecks/" + i8 + "/redirects", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/redirects/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                        vErrors === null ? vErrors = [err173] : vErrors.push(err173), errors++;
                      }
                    }
                  }
                  if (data54.host !== void 0) {
                    let data65 = data54.host;
                    if (typeof data65 == "string") {
                      if (!pattern21.test(data65)) {
                        let err174 = { instancePath: instancePath + "/healthchecks/" + i8 + "/host", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/host/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$"' };
                        vErrors === null ? vErrors = [err174] : vErrors.push(err174), errors++;
                      }
                    } else {
                      let err175 = { instancePath: instancePath + "/healthchecks/" + i8 + "/host", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/host/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err175] : vErrors.push(err175), errors++;
                    }
                  }
                  if (data54.verify !== void 0 && typeof data54.verify != "boolean") {
                    let err176 = { instancePath: instancePath + "/healthchecks/" + i8 + "/verify", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/verify/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                    vErrors === null ? vErrors = [err176] : vErrors.push(err176), errors++;
                  }
                } else {
                  let err177 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                  vErrors === null ? vErrors = [err177] : vErrors.push(err177), errors++;
                }
                var props2 = !0;
              } else if (tag0 === "https") {
                if (data54 && typeof data54 == "object" && !Array.isArray(data54)) {
                  if (data54.type === void 0) {
                    let err178 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'" };
                    vErrors === null ? vErrors = [err178] : vErrors.push(err178), errors++;
                  }
                  if (data54.network === void 0) {
                    let err179 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "network" }, message: "must have required property 'network'" };
                    vErrors === null ? vErrors = [err179] : vErrors.push(err179), errors++;
                  }
                  if (data54.port === void 0) {
                    let err180 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "port" }, message: "must have required property 'port'" };
                    vErrors === null ? vErrors = [err180] : vErrors.push(err180), errors++;
                  }
                  if (data54.path === void 0) {
                    let err181 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "path" }, message: "must have required property 'path'" };
                    vErrors === null ? vErrors = [err181] : vErrors.push(err181), errors++;
                  }
                  if (data54.poll === void 0) {
                    let err182 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "poll" }, message: "must have required property 'poll'" };
                    vErrors === null ? vErrors = [err182] : vErrors.push(err182), errors++;
                  }
                  if (data54.timeout === void 0) {
                    let err183 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "timeout" }, message: "must have required property 'timeout'" };
                    vErrors === null ? vErrors = [err183] : vErrors.push(err183), errors++;
                  }
                  if (data54.retries === void 0) {
                    let err184 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "retries" }, message: "must have required property 'retries'" };
                    vErrors === null ? vErrors = [err184] : vErrors.push(err184), errors++;
                  }
                  for (let key10 in data54)
                    if (!func1.call(schema31.properties.healthchecks.items.oneOf[0].properties, key10)) {
                      let err185 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key10 }, message: "must NOT have additional properties" };
                      vErrors === null ? vErrors = [err185] : vErrors.push(err185), errors++;
                    }
                  if (data54.type !== void 0) {
                    let data67 = data54.type;
                    if (typeof data67 != "string") {
                      let err186 = { instancePath: instancePath + "/healthchecks/" + i8 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/type/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err186] : vErrors.push(err186), errors++;
                    }
                    if (!(data67 === "http" || data67 === "https")) {
                      let err187 = { instancePath: instancePath + "/healthchecks/" + i8 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/type/enum", keyword: "enum", params: { allowedValues: schema31.properties.healthchecks.items.oneOf[0].properties.type.enum }, message: "must be equal to one of the allowed values" };
                      vErrors === null ? vErrors = [err187] : vErrors.push(err187), errors++;
                    }
                  }
                  if (data54.network !== void 0) {
                    let data68 = data54.network;
                    if (typeof data68 == "string") {
                      if (func2(data68) > 64) {
                        let err188 = { instancePath: instancePath + "/healthchecks/" + i8 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
                        vErrors === null ? vErrors = [err188] : vErrors.push(err188), errors++;
                      }
                      if (func2(data68) < 1) {
                        let err189 = { instancePath: instancePath + "/healthchecks/" + i8 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                        vErrors === null ? vErrors = [err189] : vErrors.push(err189), errors++;
                      }
                      if (!pattern19.test(data68)) {
                        let err190 = { instancePath: instancePath + "/healthchecks/" + i8 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$"' };
                        vErrors === null ? vErrors = [err190] : vErrors.push(err190), errors++;
                      }
                    } else {
                      let err191 = { instancePath: instancePath + "/healthchecks/" + i8 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err191] : vErrors.push(err191), errors++;
                    }
                  }
                  if (data54.port !== void 0) {
                    let data69 = data54.port;
                    if (!(typeof data69 == "number" && !(data69 % 1) && !isNaN(data69) && isFinite(data69))) {
                      let err192 = { instancePath: instancePath + "/healthchecks/" + i8 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/port/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err192] : vErrors.push(err192), errors++;
                    }
                    if (typeof data69 == "number" && isFinite(data69)) {
                      if (data69 > 65535 || isNaN(data69)) {
                        let err193 = { instancePath: instancePath + "/healthchecks/" + i8 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/port/maximum", keyword: "maximum", params: { comparison: "<=", limit: 65535 }, message: "must be <= 65535" };
                        vErrors === null ? vErrors = [err193] : vErrors.push(err193), errors++;
                      }
                      if (data69 < 1 || isNaN(data69)) {
                        let err194 = { instancePath: instancePath + "/healthchecks/" + i8 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/port/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                        vErrors === null ? vErrors = [err194] : vErrors.push(err194), errors++;
                      }
                    }
                  }
                  if (data54.path !== void 0) {
                    let data70 = data54.path;
                    if (typeof data70 == "string") {
                      if (!pattern9.test(data70)) {
                        let err195 = { instancePath: instancePath + "/healthchecks/" + i8 + "/path", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/path/pattern", keyword: "pattern", params: { pattern: "^/" }, message: 'must match pattern "^/"' };
                        vErrors === null ? vErrors = [err195] : vErrors.push(err195), errors++;
                      }
                    } else {
                      let err196 = { instancePath: instancePath + "/healthchecks/" + i8 + "/path", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/path/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err196] : vErrors.push(err196), errors++;
                    }
                  }
                  if (data54.poll !== void 0) {
                    let data71 = data54.poll;
                    if (typeof data71 == "number" && isFinite(data71)) {
                      if (data71 > 86400 || isNaN(data71)) {
                        let err197 = { instancePath: instancePath + "/healthchecks/" + i8 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/poll/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err197] : vErrors.push(err197), errors++;
                      }
                      if (data71 < 0.1 || isNaN(data71)) {
                        let err198 = { instancePath: instancePath + "/healthchecks/" + i8 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/poll/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err198] : vErrors.push(err198), errors++;
                      }
                    } else {
                      let err199 = { instancePath: instancePath + "/healthchecks/" + i8 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/poll/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err199] : vErrors.push(err199), errors++;
                    }
                  }
                  if (data54.timeout !== void 0) {
                    let data72 = data54.timeout;
                    if (typeof data72 == "number" && isFinite(data72)) {
                      if (data72 > 3600 || isNaN(data72)) {
                        let err200 = { instancePath: instancePath + "/healthchecks/" + i8 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/timeout/maximum", keyword: "maximum", params: { comparison: "<=", limit: 3600 }, message: "must be <= 3600" };
                        vErrors === null ? vErrors = [err200] : vErrors.push(err200), errors++;
                      }
                      if (data72 < 0.01 || isNaN(data72)) {
                        let err201 = { instancePath: instancePath + "/healthchecks/" + i8 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/timeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.01 }, message: "must be >= 0.01" };
                        vErrors === null ? vErrors = [err201] : vErrors.push(err201), errors++;
                      }
                    } else {
                      let err202 = { instancePath: instancePath + "/healthchecks/" + i8 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/timeout/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err202] : vErrors.push(err202), errors++;
                    }
                  }
                  if (data54.retries !== void 0) {
                    let data73 = data54.retries;
                    if (!(typeof data73 == "number" && !(data73 % 1) && !isNaN(data73) && isFinite(data73))) {
                      let err203 = { instancePath: instancePath + "/healthchecks/" + i8 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/retries/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err203] : vErrors.push(err203), errors++;
                    }
                    if (typeof data73 == "number" && isFinite(data73)) {
                      if (data73 > 1e3 || isNaN(data73)) {
                        let err204 = { instancePath: instancePath + "/healthchecks/" + i8 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/retries/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" };
                        vErrors === null ? vErrors = [err204] : vErrors.push(err204), errors++;
                      }
                      if (data73 < 1 || isNaN(data73)) {
                        let err205 = { instancePath: instancePath + "/healthchecks/" + i8 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/retries/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                        vErrors === null ? vErrors = [err205] : vErrors.push(err205), errors++;
                      }
                    }
                  }
                  if (data54.start_period !== void 0) {
                    let data74 = data54.start_period;
                    if (typeof data74 == "number" && isFinite(data74)) {
                      if (data74 > 86400 || isNaN(data74)) {
                        let err206 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_period/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err206] : vErrors.push(err206), errors++;
                      }
                      if (data74 < 0 || isNaN(data74)) {
                        let err207 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_period/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                        vErrors === null ? vErrors = [err207] : vErrors.push(err207), errors++;
                      }
                    } else {
                      let err208 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_period/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err208] : vErrors.push(err208), errors++;
                    }
                  }
                  if (data54.start_interval !== void 0) {
                    let data75 = data54.start_interval;
                    if (typeof data75 == "number" && isFinite(data75)) {
                      if (data75 > 86400 || isNaN(data75)) {
                        let err209 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_interval/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err209] : vErrors.push(err209), errors++;
                      }
                      if (data75 < 0.1 || isNaN(data75)) {
                        let err210 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_interval/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err210] : vErrors.push(err210), errors++;
                      }
                    } else {
                      let err211 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_interval/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err211] : vErrors.push(err211), errors++;
                    }
                  }
                  if (data54.redirects !== void 0) {
                    let data76 = data54.redirects;
                    if (!(typeof data76 == "number" && !(data76 % 1) && !isNaN(data76) && isFinite(data76))) {
                      let err212 = { instancePath: instancePath + "/healthchecks/" + i8 + "/redirects", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/redirects/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err212] : vErrors.push(err212), errors++;
                    }
                    if (typeof data76 == "number" && isFinite(data76)) {
                      if (data76 > 10 || isNaN(data76)) {
                        let err213 = { instancePath: instancePath + "/healthchecks/" + i8 + "/redirects", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/redirects/maximum", keyword: "maximum", params: { comparison: "<=", limit: 10 }, message: "must be <= 10" };
                        vErrors === null ? vErrors = [err213] : vErrors.push(err213), errors++;
                      }
                      if (data76 < 0 || isNaN(data76)) {
                        let err214 = { instancePath: instancePath + "/healthchecks/" + i8 + "/redirects", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/redirects/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                        vErrors === null ? vErrors = [err214] : vErrors.push(err214), errors++;
                      }
                    }
                  }
                  if (data54.host !== void 0) {
                    let data77 = data54.host;
                    if (typeof data77 == "string") {
                      if (!pattern21.test(data77)) {
                        let err215 = { instancePath: instancePath + "/healthchecks/" + i8 + "/host", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/host/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$"' };
                        vErrors === null ? vErrors = [err215] : vErrors.push(err215), errors++;
                      }
                    } else {
                      let err216 = { instancePath: instancePath + "/healthchecks/" + i8 + "/host", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/host/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err216] : vErrors.push(err216), errors++;
                    }
                  }
                  if (data54.verify !== void 0 && typeof data54.verify != "boolean") {
                    let err217 = { instancePath: instancePath + "/healthchecks/" + i8 + "/verify", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/verify/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                    vErrors === null ? vErrors = [err217] : vErrors.push(err217), errors++;
                  }
                } else {
                  let err218 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                  vErrors === null ? vErrors = [err218] : vErrors.push(err218), errors++;
                }
                props2 !== !0 && (props2 = !0);
              } else if (tag0 === "command") {
                if (data54 && typeof data54 == "object" && !Array.isArray(data54)) {
                  if (data54.type === void 0) {
                    let err219 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/1/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'" };
                    vErrors === null ? vErrors = [err219] : vErrors.push(err219), errors++;
                  }
                  if (data54.command === void 0) {
                    let err220 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/1/required", keyword: "required", params: { missingProperty: "command" }, message: "must have required property 'command'" };
                    vErrors === null ? vErrors = [err220] : vErrors.push(err220), errors++;
                  }
                  if (data54.poll === void 0) {
                    let err221 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/1/required", keyword: "required", params: { missingProperty: "poll" }, message: "must have required property 'poll'" };
                    vErrors === null ? vErrors = [err221] : vErrors.push(err221), errors++;
                  }
                  if (data54.timeout === void 0) {
                    let err222 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/1/required", keyword: "required", params: { missingProperty: "timeout" }, message: "must have required property 'timeout'" };
                    vErrors === null ? vErrors = [err222] : vErrors.push(err222), errors++;
                  }
                  if (data54.retries === void 0) {
                    let err223 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/1/required", keyword: "required", params: { missingProperty: "retries" }, message: "must have required property 'retries'" };
                    vErrors === null ? vErrors = [err223] : vErrors.push(err223), errors++;
                  }
                  for (let key11 in data54)
                    if (!(key11 === "type" || key11 === "command" || key11 === "user" || key11 === "poll" || key11 === "timeout" || key11 === "retries" || key11 === "start_period" || key11 === "start_interval")) {
                      let err224 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/1/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key11 }, message: "must NOT have additional properties" };
                      vErrors === null ? vErrors = [err224] : vErrors.push(err224), errors++;
                    }
                  if (data54.type !== void 0) {
                    let data79 = data54.type;
                    if (typeof data79 != "string") {
                      let err225 = { instancePath: instancePath + "/healthchecks/" + i8 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/type/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err225] : vErrors.push(err225), errors++;
                    }
                    if (data79 !== "command") {
                      let err226 = { instancePath: instancePath + "/healthchecks/" + i8 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/type/enum", keyword: "enum", params: { allowedValues: schema31.properties.healthchecks.items.oneOf[1].properties.type.enum }, message: "must be equal to one of the allowed values" };
                      vErrors === null ? vErrors = [err226] : vErrors.push(err226), errors++;
                    }
                  }
                  if (data54.command !== void 0) {
                    let data80 = data54.command;
                    if (Array.isArray(data80)) {
                      if (data80.length < 1) {
                        let err227 = { instancePath: instancePath + "/healthchecks/" + i8 + "/command", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/command/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
                        vErrors === null ? vErrors = [err227] : vErrors.push(err227), errors++;
                      }
                      let len9 = data80.length;
                      for (let i9 = 0; i9 < len9; i9++)
                        if (typeof data80[i9] != "string") {
                          let err228 = { instancePath: instancePath + "/healthchecks/" + i8 + "/command/" + i9, schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                          vErrors === null ? vErrors = [err228] : vErrors.push(err228), errors++;
                        }
                    } else {
                      let err229 = { instancePath: instancePath + "/healthchecks/" + i8 + "/command", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                      vErrors === null ? vErrors = [err229] : vErrors.push(err229), errors++;
                    }
                  }
                  if (data54.user !== void 0) {
                    let data82 = data54.user;
                    if (typeof data82 == "string") {
                      if (func2(data82) < 1) {
                        let err230 = { instancePath: instancePath + "/healthchecks/" + i8 + "/user", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/user/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                        vErrors === null ? vErrors = [err230] : vErrors.push(err230), errors++;
                      }
                    } else {
                      let err231 = { instancePath: instancePath + "/healthchecks/" + i8 + "/user", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/user/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err231] : vErrors.push(err231), errors++;
                    }
                  }
                  if (data54.poll !== void 0) {
                    let data83 = data54.poll;
                    if (typeof data83 == "number" && isFinite(data83)) {
                      if (data83 > 86400 || isNaN(data83)) {
                        let err232 = { instancePath: instancePath + "/healthchecks/" + i8 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/poll/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err232] : vErrors.push(err232), errors++;
                      }
                      if (data83 < 0.1 || isNaN(data83)) {
                        let err233 = { instancePath: instancePath + "/healthchecks/" + i8 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/poll/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err233] : vErrors.push(err233), errors++;
                      }
                    } else {
                      let err234 = { instancePath: instancePath + "/healthchecks/" + i8 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/poll/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err234] : vErrors.push(err234), errors++;
                    }
                  }
                  if (data54.timeout !== void 0) {
                    let data84 = data54.timeout;
                    if (typeof data84 == "number" && isFinite(data84)) {
                      if (data84 > 3600 || isNaN(data84)) {
                        let err235 = { instancePath: instancePath + "/healthchecks/" + i8 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/timeout/maximum", keyword: "maximum", params: { comparison: "<=", limit: 3600 }, message: "must be <= 3600" };
                        vErrors === null ? vErrors = [err235] : vErrors.push(err235), errors++;
                      }
                      if (data84 < 0.01 || isNaN(data84)) {
                        let err236 = { instancePath: instancePath + "/healthchecks/" + i8 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/timeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.01 }, message: "must be >= 0.01" };
                        vErrors === null ? vErrors = [err236] : vErrors.push(err236), errors++;
                      }
                    } else {
                      let err237 = { instancePath: instancePath + "/healthchecks/" + i8 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/timeout/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err237] : vErrors.push(err237), errors++;
                    }
                  }
                  if (data54.retries !== void 0) {
                    let data85 = data54.retries;
                    if (!(typeof data85 == "number" && !(data85 % 1) && !isNaN(data85) && isFinite(data85))) {
                      let err238 = { instancePath: instancePath + "/healthchecks/" + i8 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/retries/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err238] : vErrors.push(err238), errors++;
                    }
                    if (typeof data85 == "number" && isFinite(data85)) {
                      if (data85 > 1e3 || isNaN(data85)) {
                        let err239 = { instancePath: instancePath + "/healthchecks/" + i8 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/retries/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" };
                        vErrors === null ? vErrors = [err239] : vErrors.push(err239), errors++;
                      }
                      if (data85 < 1 || isNaN(data85)) {
                        let err240 = { instancePath: instancePath + "/healthchecks/" + i8 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/retries/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                        vErrors === null ? vErrors = [err240] : vErrors.push(err240), errors++;
                      }
                    }
                  }
                  if (data54.start_period !== void 0) {
                    let data86 = data54.start_period;
                    if (typeof data86 == "number" && isFinite(data86)) {
                      if (data86 > 86400 || isNaN(data86)) {
                        let err241 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/start_period/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err241] : vErrors.push(err241), errors++;
                      }
                      if (data86 < 0 || isNaN(data86)) {
                        let err242 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/start_period/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                        vErrors === null ? vErrors = [err242] : vErrors.push(err242), errors++;
                      }
                    } else {
                      let err243 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/start_period/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err243] : vErrors.push(err243), errors++;
                    }
                  }
                  if (data54.start_interval !== void 0) {
                    let data87 = data54.start_interval;
                    if (typeof data87 == "number" && isFinite(data87)) {
                      if (data87 > 86400 || isNaN(data87)) {
                        let err244 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/start_interval/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err244] : vErrors.push(err244), errors++;
                      }
                      if (data87 < 0.1 || isNaN(data87)) {
                        let err245 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/start_interval/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err245] : vErrors.push(err245), errors++;
                      }
                    } else {
                      let err246 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/start_interval/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err246] : vErrors.push(err246), errors++;
                    }
                  }
                } else {
                  let err247 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/1/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                  vErrors === null ? vErrors = [err247] : vErrors.push(err247), errors++;
                }
                props2 !== !0 && (props2 = !0);
              } else {
                let err248 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/discriminator", keyword: "discriminator", params: { error: "mapping", tag: "type", tagValue: tag0 }, message: 'value of tag "type" must be in oneOf' };
                vErrors === null ? vErrors = [err248] : vErrors.push(err248), errors++;
              }
            else {
              let err249 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/discriminator", keyword: "discriminator", params: { error: "tag", tag: "type", tagValue: tag0 }, message: 'tag "type" must be string' };
              vErrors === null ? vErrors = [err249] : vErrors.push(err249), errors++;
            }
          } else {
            let err250 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err250] : vErrors.push(err250), errors++;
          }
        }
      } else {
        let err251 = { instancePath: instancePath + "/healthchecks", schemaPath: "#/properties/healthchecks/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err251] : vErrors.push(err251), errors++;
      }
    }
    if (data.containerpilot !== void 0) {
      let data88 = data.containerpilot;
      if (data88 && typeof data88 == "object" && !Array.isArray(data88)) {
        if (data88.port === void 0) {
          let err252 = { instancePath: instancePath + "/containerpilot", schemaPath: "#/properties/containerpilot/required", keyword: "required", params: { missingProperty: "port" }, message: "must have required property 'port'" };
          vErrors === null ? vErrors = [err252] : vErrors.push(err252), errors++;
        }
        for (let key12 in data88)
          if (!(key12 === "network" || key12 === "port")) {
            let err253 = { instancePath: instancePath + "/containerpilot", schemaPath: "#/properties/containerpilot/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key12 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err253] : vErrors.push(err253), errors++;
          }
        if (data88.network !== void 0) {
          let data89 = data88.network;
          if (typeof data89 == "string") {
            if (func2(data89) > 64) {
              let err254 = { instancePath: instancePath + "/containerpilot/network", schemaPath: "#/properties/containerpilot/properties/network/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
              vErrors === null ? vErrors = [err254] : vErrors.push(err254), errors++;
            }
            if (func2(data89) < 1) {
              let err255 = { instancePath: instancePath + "/containerpilot/network", schemaPath: "#/properties/containerpilot/properties/network/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              vErrors === null ? vErrors = [err255] : vErrors.push(err255), errors++;
            }
            if (!pattern19.test(data89)) {
              let err256 = { instancePath: instancePath + "/containerpilot/network", schemaPath: "#/properties/containerpilot/properties/network/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$"' };
              vErrors === null ? vErrors = [err256] : vErrors.push(err256), errors++;
            }
          } else {
            let err257 = { instancePath: instancePath + "/containerpilot/network", schemaPath: "#/properties/containerpilot/properties/network/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err257] : vErrors.push(err257), errors++;
          }
        }
        if (data88.port !== void 0) {
          let data90 = data88.port;
          if (!(typeof data90 == "number" && !(data90 % 1) && !isNaN(data90) && isFinite(data90))) {
            let err258 = { instancePath: instancePath + "/containerpilot/port", schemaPath: "#/properties/containerpilot/properties/port/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err258] : vErrors.push(err258), errors++;
          }
          if (typeof data90 == "number" && isFinite(data90)) {
            if (data90 > 65535 || isNaN(data90)) {
              let err259 = { instancePath: instancePath + "/containerpilot/port", schemaPath: "#/properties/containerpilot/properties/port/maximum", keyword: "maximum", params: { comparison: "<=", limit: 65535 }, message: "must be <= 65535" };
              vErrors === null ? vErrors = [err259] : vErrors.push(err259), errors++;
            }
            if (data90 < 1 || isNaN(data90)) {
              let err260 = { instancePath: instancePath + "/containerpilot/port", schemaPath: "#/properties/containerpilot/properties/port/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              vErrors === null ? vErrors = [err260] : vErrors.push(err260), errors++;
            }
          }
        }
      } else {
        let err261 = { instancePath: instancePath + "/containerpilot", schemaPath: "#/properties/containerpilot/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err261] : vErrors.push(err261), errors++;
      }
    }
    if (data.autoscale !== void 0) {
      let data91 = data.autoscale;
      if (data91 && typeof data91 == "object" && !Array.isArray(data91)) {
        if (data91.enable === void 0) {
          let err262 = { instancePath: instancePath + "/autoscale", schemaPath: "#/properties/autoscale/required", keyword: "required", params: { missingProperty: "enable" }, message: "must have required property 'enable'" };
          vErrors === null ? vErrors = [err262] : vErrors.push(err262), errors++;
        }
        if (data91.min === void 0) {
          let err263 = { instancePath: instancePath + "/autoscale", schemaPath: "#/properties/autoscale/required", keyword: "required", params: { missingProperty: "min" }, message: "must have required property 'min'" };
          vErrors === null ? vErrors = [err263] : vErrors.push(err263), errors++;
        }
        if (data91.retrigger_delay === void 0) {
          let err264 = { instancePath: instancePath + "/autoscale", schemaPath: "#/properties/autoscale/required", keyword: "required", params: { missingProperty: "retrigger_delay" }, message: "must have required property 'retrigger_delay'" };
          vErrors === null ? vErrors = [err264] : vErrors.push(err264), errors++;
        }
        if (data91.notify_email === void 0) {
          let err265 = { instancePath: instancePath + "/autoscale", schemaPath: "#/properties/autoscale/required", keyword: "required", params: { missingProperty: "notify_email" }, message: "must have required property 'notify_email'" };
          vErrors === null ? vErrors = [err265] : vErrors.push(err265), errors++;
        }
        for (let key13 in data91)
          if (!(key13 === "enable" || key13 === "min" || key13 === "max" || key13 === "retrigger_delay" || key13 === "notify_email")) {
            let err266 = { instancePath: instancePath + "/autoscale", schemaPath: "#/properties/autoscale/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key13 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err266] : vErrors.push(err266), errors++;
          }
        if (data91.enable !== void 0) {
          let data92 = data91.enable;
          if (!(data92 === "notify" || data92 === !0 || data92 === !1)) {
            let err267 = { instancePath: instancePath + "/autoscale/enable", schemaPath: "#/properties/autoscale/properties/enable/enum", keyword: "enum", params: { allowedValues: schema31.properties.autoscale.properties.enable.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err267] : vErrors.push(err267), errors++;
          }
        }
        if (data91.min !== void 0) {
          let data93 = data91.min;
          if (!(typeof data93 == "number" && !(data93 % 1) && !isNaN(data93) && isFinite(data93))) {
            let err268 = { instancePath: instancePath + "/autoscale/min", schemaPath: "#/properties/autoscale/properties/min/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err268] : vErrors.push(err268), errors++;
          }
          if (typeof data93 == "number" && isFinite(data93)) {
            if (data93 > 1e5 || isNaN(data93)) {
              let err269 = { instancePath: instancePath + "/autoscale/min", schemaPath: "#/properties/autoscale/properties/min/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e5 }, message: "must be <= 100000" };
              vErrors === null ? vErrors = [err269] : vErrors.push(err269), errors++;
            }
            if (data93 < 0 || isNaN(data93)) {
              let err270 = { instancePath: instancePath + "/autoscale/min", schemaPath: "#/properties/autoscale/properties/min/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
              vErrors === null ? vErrors = [err270] : vErrors.push(err270), errors++;
            }
          }
        }
        if (data91.max !== void 0) {
          let data94 = data91.max;
          if (!(typeof data94 == "number" && !(data94 % 1) && !isNaN(data94) && isFinite(data94))) {
            let err271 = { instancePath: instancePath + "/autoscale/max", schemaPath: "#/properties/autoscale/properties/max/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err271] : vErrors.push(err271), errors++;
          }
          if (typeof data94 == "number" && isFinite(data94)) {
            if (data94 > 1e5 || isNaN(data94)) {
              let err272 = { instancePath: instancePath + "/autoscale/max", schemaPath: "#/properties/autoscale/properties/max/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e5 }, message: "must be <= 100000" };
              vErrors === null ? vErrors = [err272] : vErrors.push(err272), errors++;
            }
            if (data94 < 1 || isNaN(data94)) {
              let err273 = { instancePath: instancePath + "/autoscale/max", schemaPath: "#/properties/autoscale/properties/max/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              vErrors === null ? vErrors = [err273] : vErrors.push(err273), errors++;
            }
          }
        }
        if (data91.retrigger_delay !== void 0) {
          let data95 = data91.retrigger_delay;
          if (typeof data95 == "number" && isFinite(data95)) {
            if (data95 > 86400 || isNaN(data95)) {
              let err274 = { instancePath: instancePath + "/autoscale/retrigger_delay", schemaPath: "#/properties/autoscale/properties/retrigger_delay/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
              vErrors === null ? vErrors = [err274] : vErrors.push(err274), errors++;
            }
            if (data95 < 0 || isNaN(data95)) {
              let err275 = { instancePath: instancePath + "/autoscale/retrigger_delay", schemaPath: "#/properties/autoscale/properties/retrigger_delay/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
              vErrors === null ? vErrors = [err275] : vErrors.push(err275), errors++;
            }
          } else {
            let err276 = { instancePath: instancePath + "/autoscale/retrigger_delay", schemaPath: "#/properties/autoscale/properties/retrigger_delay/type", keyword: "type", params: { type: "number" }, message: "must be number" };
            vErrors === null ? vErrors = [err276] : vErrors.push(err276), errors++;
          }
        }
        if (data91.notify_email !== void 0) {
          let data96 = data91.notify_email;
          if (Array.isArray(data96)) {
            if (data96.length > 20) {
              let err277 = { instancePath: instancePath + "/autoscale/notify_email", schemaPath: "#/properties/autoscale/properties/notify_email/maxItems", keyword: "maxItems", params: { limit: 20 }, message: "must NOT have more than 20 items" };
              vErrors === null ? vErrors = [err277] : vErrors.push(err277), errors++;
            }
            let len10 = data96.length;
            for (let i10 = 0; i10 < len10; i10++) {
              let data97 = data96[i10];
              if (typeof data97 == "string") {
                if (func2(data97) > 254) {
                  let err278 = { instancePath: instancePath + "/autoscale/notify_email/" + i10, schemaPath: "#/properties/autoscale/properties/notify_email/items/maxLength", keyword: "maxLength", params: { limit: 254 }, message: "must NOT have more than 254 characters" };
                  vErrors === null ? vErrors = [err278] : vErrors.push(err278), errors++;
                }
                if (!pattern26.test(data97)) {
                  let err279 = { instancePath: instancePath + "/autoscale/notify_email/" + i10, schemaPath: "#/properties/autoscale/properties/notify_email/items/pattern", keyword: "pattern", params: { pattern: "^[^\\s@<>,;]+@[^\\s@<>,;]+$" }, message: 'must match pattern "^[^\\s@<>,;]+@[^\\s@<>,;]+$"' };
                  vErrors === null ? vErrors = [err279] : vErrors.push(err279), errors++;
                }
              } else {
                let err280 = { instancePath: instancePath + "/autoscale/notify_email/" + i10, schemaPath: "#/properties/autoscale/properties/notify_email/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err280] : vErrors.push(err280), errors++;
              }
            }
          } else {
            let err281 = { instancePath: instancePath + "/autoscale/notify_email", schemaPath: "#/properties/autoscale/properties/notify_email/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            vErrors === null ? vErrors = [err281] : vErrors.push(err281), errors++;
          }
        }
      } else {
        let err282 = { instancePath: instancePath + "/autoscale", schemaPath: "#/properties/autoscale/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err282] : vErrors.push(err282), errors++;
      }
    }
    if (data.triggers !== void 0) {
      let data98 = data.triggers;
      if (Array.isArray(data98)) {
        if (data98.length > 50) {
          let err283 = { instancePath: instancePath + "/triggers", schemaPath: "#/properties/triggers/maxItems", keyword: "maxItems", params: { limit: 50 }, message: "must NOT have more than 50 items" };
          vErrors === null ? vErrors = [err283] : vErrors.push(err283), errors++;
        }
        let len11 = data98.length;
        for (let i11 = 0; i11 < len11; i11++) {
          let data99 = data98[i11];
          if (!(data99 && typeof data99 == "object" && !Array.isArray(data99))) {
            let err284 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err284] : vErrors.push(err284), errors++;
          }
          let _errs219 = errors, valid42 = !0, _errs220 = errors, _errs221 = errors, valid43 = !1, _errs222 = errors;
          if (data99 && typeof data99 == "object" && !Array.isArray(data99)) {
            let missing0;
            if (data99.url === void 0 && (missing0 = "url")) {
              let err285 = {};
              vErrors === null ? vErrors = [err285] : vErrors.push(err285), errors++;
            }
          }
          var _valid1 = _errs222 === errors;
          valid43 = valid43 || _valid1;
          let _errs223 = errors;
          if (data99 && typeof data99 == "object" && !Array.isArray(data99)) {
            let missing1;
            if (data99.secret === void 0 && (missing1 = "secret")) {
              let err286 = {};
              vErrors === null ? vErrors = [err286] : vErrors.push(err286), errors++;
            }
          }
          var _valid1 = _errs223 === errors;
          if (valid43 = valid43 || _valid1, valid43)
            errors = _errs221, vErrors !== null && (_errs221 ? vErrors.length = _errs221 : vErrors = null);
          else {
            let err287 = {};
            vErrors === null ? vErrors = [err287] : vErrors.push(err287), errors++;
          }
          var _valid0 = _errs220 === errors;
          errors = _errs219, vErrors !== null && (_errs219 ? vErrors.length = _errs219 : vErrors = null);
          let ifClause0;
          if (_valid0) {
            let _errs224 = errors;
            if (data99 && typeof data99 == "object" && !Array.isArray(data99)) {
              if (data99.name === void 0) {
                let err288 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/then/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'" };
                vErrors === null ? vErrors = [err288] : vErrors.push(err288), errors++;
              }
              if (data99.url === void 0) {
                let err289 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/then/required", keyword: "required", params: { missingProperty: "url" }, message: "must have required property 'url'" };
                vErrors === null ? vErrors = [err289] : vErrors.push(err289), errors++;
              }
              if (data99.action === void 0) {
                let err290 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/then/required", keyword: "required", params: { missingProperty: "action" }, message: "must have required property 'action'" };
                vErrors === null ? vErrors = [err290] : vErrors.push(err290), errors++;
              }
              for (let key14 in data99)
                if (!(key14 === "name" || key14 === "url" || key14 === "secret" || key14 === "action" || key14 === "scale" || key14 === "instances")) {
                  let err291 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/then/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key14 }, message: "must NOT have additional properties" };
                  vErrors === null ? vErrors = [err291] : vErrors.push(err291), errors++;
                }
              if (data99.name !== void 0) {
                let data100 = data99.name;
                if (typeof data100 == "string") {
                  if (!pattern19.test(data100)) {
                    let err292 = { instancePath: instancePath + "/triggers/" + i11 + "/name", schemaPath: "#/properties/triggers/items/then/properties/name/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$"' };
                    vErrors === null ? vErrors = [err292] : vErrors.push(err292), errors++;
                  }
                } else {
                  let err293 = { instancePath: instancePath + "/triggers/" + i11 + "/name", schemaPath: "#/properties/triggers/items/then/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err293] : vErrors.push(err293), errors++;
                }
              }
              if (data99.url !== void 0 && data99.url !== !0) {
                let err294 = { instancePath: instancePath + "/triggers/" + i11 + "/url", schemaPath: "#/properties/triggers/items/then/properties/url/const", keyword: "const", params: { allowedValue: !0 }, message: "must be equal to constant" };
                vErrors === null ? vErrors = [err294] : vErrors.push(err294), errors++;
              }
              if (data99.secret !== void 0) {
                let data102 = data99.secret;
                if (typeof data102 == "string") {
                  if (func2(data102) > 256) {
                    let err295 = { instancePath: instancePath + "/triggers/" + i11 + "/secret", schemaPath: "#/properties/triggers/items/then/properties/secret/maxLength", keyword: "maxLength", params: { limit: 256 }, message: "must NOT have more than 256 characters" };
                    vErrors === null ? vErrors = [err295] : vErrors.push(err295), errors++;
                  }
                  if (func2(data102) < 8) {
                    let err296 = { instancePath: instancePath + "/triggers/" + i11 + "/secret", schemaPath: "#/properties/triggers/items/then/properties/secret/minLength", keyword: "minLength", params: { limit: 8 }, message: "must NOT have fewer than 8 characters" };
                    vErrors === null ? vErrors = [err296] : vErrors.push(err296), errors++;
                  }
                  if (!pattern28.test(data102)) {
                    let err297 = { instancePath: instancePath + "/triggers/" + i11 + "/secret", schemaPath: "#/properties/triggers/items/then/properties/secret/pattern", keyword: "pattern", params: { pattern: "^([\\x21-\\x7e]+|meta\\.[^]+)$" }, message: 'must match pattern "^([\\x21-\\x7e]+|meta\\.[^]+)$"' };
                    vErrors === null ? vErrors = [err297] : vErrors.push(err297), errors++;
                  }
                } else {
                  let err298 = { instancePath: instancePath + "/triggers/" + i11 + "/secret", schemaPath: "#/properties/triggers/items/then/properties/secret/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err298] : vErrors.push(err298), errors++;
                }
              }
              if (data99.action !== void 0) {
                let data103 = data99.action;
                if (typeof data103 != "string") {
                  let err299 = { instancePath: instancePath + "/triggers/" + i11 + "/action", schemaPath: "#/properties/triggers/items/then/properties/action/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err299] : vErrors.push(err299), errors++;
                }
                if (!(data103 === "start" || data103 === "stop" || data103 === "scale")) {
                  let err300 = { instancePath: instancePath + "/triggers/" + i11 + "/action", schemaPath: "#/properties/triggers/items/then/properties/action/enum", keyword: "enum", params: { allowedValues: schema31.properties.triggers.items.then.properties.action.enum }, message: "must be equal to one of the allowed values" };
                  vErrors === null ? vErrors = [err300] : vErrors.push(err300), errors++;
                }
              }
              if (data99.scale !== void 0) {
                let data104 = data99.scale;
                if (!(typeof data104 == "number" && !(data104 % 1) && !isNaN(data104) && isFinite(data104))) {
                  let err301 = { instancePath: instancePath + "/triggers/" + i11 + "/scale", schemaPath: "#/properties/triggers/items/then/properties/scale/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                  vErrors === null ? vErrors = [err301] : vErrors.push(err301), errors++;
                }
                if (typeof data104 == "number" && isFinite(data104)) {
                  if (data104 > 1e5 || isNaN(data104)) {
                    let err302 = { instancePath: instancePath + "/triggers/" + i11 + "/scale", schemaPath: "#/properties/triggers/items/then/properties/scale/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e5 }, message: "must be <= 100000" };
                    vErrors === null ? vErrors = [err302] : vErrors.push(err302), errors++;
                  }
                  if (data104 < 0 || isNaN(data104)) {
                    let err303 = { instancePath: instancePath + "/triggers/" + i11 + "/scale", schemaPath: "#/properties/triggers/items/then/properties/scale/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                    vErrors === null ? vErrors = [err303] : vErrors.push(err303), errors++;
                  }
                }
              }
              if (data99.instances !== void 0) {
                let data105 = data99.instances;
                if (!(typeof data105 == "number" && !(data105 % 1) && !isNaN(data105) && isFinite(data105))) {
                  let err304 = { instancePath: instancePath + "/triggers/" + i11 + "/instances", schemaPath: "#/properties/triggers/items/then/properties/instances/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                  vErrors === null ? vErrors = [err304] : vErrors.push(err304), errors++;
                }
                if (typeof data105 == "number" && isFinite(data105)) {
                  if (data105 > 1e4 || isNaN(data105)) {
                    let err305 = { instancePath: instancePath + "/triggers/" + i11 + "/instances", schemaPath: "#/properties/triggers/items/then/properties/instances/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e4 }, message: "must be <= 10000" };
                    vErrors === null ? vErrors = [err305] : vErrors.push(err305), errors++;
                  }
                  if (data105 < -1e4 || isNaN(data105)) {
                    let err306 = { instancePath: instancePath + "/triggers/" + i11 + "/instances", schemaPath: "#/properties/triggers/items/then/properties/instances/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1e4 }, message: "must be >= -10000" };
                    vErrors === null ? vErrors = [err306] : vErrors.push(err306), errors++;
                  }
                }
              }
            } else {
              let err307 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/then/type", keyword: "type", params: { type: "object" }, message: "must be object" };
              vErrors === null ? vErrors = [err307] : vErrors.push(err307), errors++;
            }
            var _valid0 = _errs224 === errors;
            if (valid42 = _valid0, valid42)
              var props3 = !0;
            ifClause0 = "then";
          } else {
            let _errs238 = errors;
            if (data99 && typeof data99 == "object" && !Array.isArray(data99)) {
              if (data99.name === void 0) {
                let err308 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'" };
                vErrors === null ? vErrors = [err308] : vErrors.push(err308), errors++;
              }
              if (data99.source === void 0) {
                let err309 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "source" }, message: "must have required property 'source'" };
                vErrors === null ? vErrors = [err309] : vErrors.push(err309), errors++;
              }
              if (data99.operator === void 0) {
                let err310 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "operator" }, message: "must have required property 'operator'" };
                vErrors === null ? vErrors = [err310] : vErrors.push(err310), errors++;
              }
              if (data99.value === void 0) {
                let err311 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "value" }, message: "must have required property 'value'" };
                vErrors === null ? vErrors = [err311] : vErrors.push(err311), errors++;
              }
              if (data99.percent === void 0) {
                let err312 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "percent" }, message: "must have required property 'percent'" };
                vErrors === null ? vErrors = [err312] : vErrors.push(err312), errors++;
              }
              if (data99.time === void 0) {
                let err313 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "time" }, message: "must have required property 'time'" };
                vErrors === null ? vErrors = [err313] : vErrors.push(err313), errors++;
              }
              if (data99.aggregate === void 0) {
                let err314 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "aggregate" }, message: "must have required property 'aggregate'" };
                vErrors === null ? vErrors = [err314] : vErrors.push(err314), errors++;
              }
              if (data99.action === void 0) {
                let err315 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "action" }, message: "must have required property 'action'" };
                vErrors === null ? vErrors = [err315] : vErrors.push(err315), errors++;
              }
              if (data99.instances === void 0) {
                let err316 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "instances" }, message: "must have required property 'instances'" };
                vErrors === null ? vErrors = [err316] : vErrors.push(err316), errors++;
              }
              for (let key15 in data99)
                if (!func1.call(schema31.properties.triggers.items.else.properties, key15)) {
                  let err317 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/else/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key15 }, message: "must NOT have additional properties" };
                  vErrors === null ? vErrors = [err317] : vErrors.push(err317), errors++;
                }
              if (data99.name !== void 0) {
                let data106 = data99.name;
                if (typeof data106 == "string") {
                  if (!pattern19.test(data106)) {
                    let err318 = { instancePath: instancePath + "/triggers/" + i11 + "/name", schemaPath: "#/properties/triggers/items/else/properties/name/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$"' };
                    vErrors === null ? vErrors = [err318] : vErrors.push(err318), errors++;
                  }
                } else {
                  let err319 = { instancePath: instancePath + "/triggers/" + i11 + "/name", schemaPath: "#/properties/triggers/items/else/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err319] : vErrors.push(err319), errors++;
                }
              }
              if (data99.source !== void 0) {
                let data107 = data99.source;
                if (typeof data107 == "string") {
                  if (!pattern30.test(data107)) {
                    let err320 = { instancePath: instancePath + "/triggers/" + i11 + "/source", schemaPath: "#/properties/triggers/items/else/properties/source/pattern", keyword: "pattern", params: { pattern: "^(service\\.[A-Za-z0-9_-]{1,63}\\.)?(containermonitor|containerpilot)(\\|(containermonitor|containerpilot))?\\.[A-Za-z_:][A-Za-z0-9_:]*$" }, message: 'must match pattern "^(service\\.[A-Za-z0-9_-]{1,63}\\.)?(containermonitor|containerpilot)(\\|(containermonitor|containerpilot))?\\.[A-Za-z_:][A-Za-z0-9_:]*$"' };
                    vErrors === null ? vErrors = [err320] : vErrors.push(err320), errors++;
                  }
                } else {
                  let err321 = { instancePath: instancePath + "/triggers/" + i11 + "/source", schemaPath: "#/properties/triggers/items/else/properties/source/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err321] : vErrors.push(err321), errors++;
                }
              }
              if (data99.operator !== void 0) {
                let data108 = data99.operator;
                if (typeof data108 != "string") {
                  let err322 = { instancePath: instancePath + "/triggers/" + i11 + "/operator", schemaPath: "#/properties/triggers/items/else/properties/operator/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err322] : vErrors.push(err322), errors++;
                }
                if (!(data108 === "<" || data108 === "<=" || data108 === ">" || data108 === ">=" || data108 === "==" || data108 === "!=")) {
                  let err323 = { instancePath: instancePath + "/triggers/" + i11 + "/operator", schemaPath: "#/properties/triggers/items/else/properties/operator/enum", keyword: "enum", params: { allowedValues: schema31.properties.triggers.items.else.properties.operator.enum }, message: "must be equal to one of the allowed values" };
                  vErrors === null ? vErrors = [err323] : vErrors.push(err323), errors++;
                }
              }
              if (data99.value !== void 0) {
                let data109 = data99.value;
                if (!(typeof data109 == "number" && isFinite(data109))) {
                  let err324 = { instancePath: instancePath + "/triggers/" + i11 + "/value", schemaPath: "#/properties/triggers/items/else/properties/value/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                  vErrors === null ? vErrors = [err324] : vErrors.push(err324), errors++;
                }
              }
              if (data99.percent !== void 0 && typeof data99.percent != "boolean") {
                let err325 = { instancePath: instancePath + "/triggers/" + i11 + "/percent", schemaPath: "#/properties/triggers/items/else/properties/percent/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                vErrors === null ? vErrors = [err325] : vErrors.push(err325), errors++;
              }
              if (data99.time !== void 0) {
                let data111 = data99.time;
                if (typeof data111 == "number" && isFinite(data111)) {
                  if (data111 > 86400 || isNaN(data111)) {
                    let err326 = { instancePath: instancePath + "/triggers/" + i11 + "/time", schemaPath: "#/properties/triggers/items/else/properties/time/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                    vErrors === null ? vErrors = [err326] : vErrors.push(err326), errors++;
                  }
                  if (data111 < 1 || isNaN(data111)) {
                    let err327 = { instancePath: instancePath + "/triggers/" + i11 + "/time", schemaPath: "#/properties/triggers/items/else/properties/time/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                    vErrors === null ? vErrors = [err327] : vErrors.push(err327), errors++;
                  }
                } else {
                  let err328 = { instancePath: instancePath + "/triggers/" + i11 + "/time", schemaPath: "#/properties/triggers/items/else/properties/time/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                  vErrors === null ? vErrors = [err328] : vErrors.push(err328), errors++;
                }
              }
              if (data99.aggregate !== void 0) {
                let data112 = data99.aggregate;
                if (typeof data112 != "string") {
                  let err329 = { instancePath: instancePath + "/triggers/" + i11 + "/aggregate", schemaPath: "#/properties/triggers/items/else/properties/aggregate/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err329] : vErrors.push(err329), errors++;
                }
                if (!(data112 === "avg" || data112 === "min" || data112 === "max" || data112 === "sum" || data112 === "p90")) {
                  let err330 = { instancePath: instancePath + "/triggers/" + i11 + "/aggregate", schemaPath: "#/properties/triggers/items/else/properties/aggregate/enum", keyword: "enum", params: { allowedValues: schema31.properties.triggers.items.else.properties.aggregate.enum }, message: "must be equal to one of the allowed values" };
                  vErrors === null ? vErrors = [err330] : vErrors.push(err330), errors++;
                }
              }
              if (data99.action !== void 0) {
                let data113 = data99.action;
                if (typeof data113 != "string") {
                  let err331 = { instancePath: instancePath + "/triggers/" + i11 + "/action", schemaPath: "#/properties/triggers/items/else/properties/action/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err331] : vErrors.push(err331), errors++;
                }
                if (!(data113 === "increment" || data113 === "decrement")) {
                  let err332 = { instancePath: instancePath + "/triggers/" + i11 + "/action", schemaPath: "#/properties/triggers/items/else/properties/action/enum", keyword: "enum", params: { allowedValues: schema31.properties.triggers.items.else.properties.action.enum }, message: "must be equal to one of the allowed values" };
                  vErrors === null ? vErrors = [err332] : vErrors.push(err332), errors++;
                }
              }
              if (data99.instances !== void 0) {
                let data114 = data99.instances;
                if (!(typeof data114 == "number" && !(data114 % 1) && !isNaN(data114) && isFinite(data114))) {
                  let err333 = { instancePath: instancePath + "/triggers/" + i11 + "/instances", schemaPath: "#/properties/triggers/items/else/properties/instances/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                  vErrors === null ? vErrors = [err333] : vErrors.push(err333), errors++;
                }
                if (typeof data114 == "number" && isFinite(data114)) {
                  if (data114 > 1e4 || isNaN(data114)) {
                    let err334 = { instancePath: instancePath + "/triggers/" + i11 + "/instances", schemaPath: "#/properties/triggers/items/else/properties/instances/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e4 }, message: "must be <= 10000" };
                    vErrors === null ? vErrors = [err334] : vErrors.push(err334), errors++;
                  }
                  if (data114 < 1 || isNaN(data114)) {
                    let err335 = { instancePath: instancePath + "/triggers/" + i11 + "/instances", schemaPath: "#/properties/triggers/items/else/properties/instances/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                    vErrors === null ? vErrors = [err335] : vErrors.push(err335), errors++;
                  }
                }
              }
            } else {
              let err336 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/else/type", keyword: "type", params: { type: "object" }, message: "must be object" };
              vErrors === null ? vErrors = [err336] : vErrors.push(err336), errors++;
            }
            var _valid0 = _errs238 === errors;
            valid42 = _valid0, valid42 && props3 !== !0 && (props3 = !0), ifClause0 = "else";
          }
          if (!valid42) {
            let err337 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/if", keyword: "if", params: { failingKeyword: ifClause0 }, message: 'must match "' + ifClause0 + '" schema' };
            vErrors === null ? vErrors = [err337] : vErrors.push(err337), errors++;
          }
        }
      } else {
        let err338 = { instancePath: instancePath + "/triggers", schemaPath: "#/properties/triggers/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err338] : vErrors.push(err338), errors++;
      }
    }
    if (data.webhooks !== void 0) {
      let data115 = data.webhooks;
      if (Array.isArray(data115)) {
        if (data115.length > 20) {
          let err339 = { instancePath: instancePath + "/webhooks", schemaPath: "#/properties/webhooks/maxItems", keyword: "maxItems", params: { limit: 20 }, message: "must NOT have more than 20 items" };
          vErrors === null ? vErrors = [err339] : vErrors.push(err339), errors++;
        }
        let len12 = data115.length;
        for (let i12 = 0; i12 < len12; i12++) {
          let data116 = data115[i12];
          if (data116 && typeof data116 == "object" && !Array.isArray(data116)) {
            if (data116.url === void 0) {
              let err340 = { instancePath: instancePath + "/webhooks/" + i12, schemaPath: "#/properties/webhooks/items/required", keyword: "required", params: { missingProperty: "url" }, message: "must have required property 'url'" };
              vErrors === null ? vErrors = [err340] : vErrors.push(err340), errors++;
            }
            if (data116.events === void 0) {
              let err341 = { instancePath: instancePath + "/webhooks/" + i12, schemaPath: "#/properties/webhooks/items/required", keyword: "required", params: { missingProperty: "events" }, message: "must have required property 'events'" };
              vErrors === null ? vErrors = [err341] : vErrors.push(err341), errors++;
            }
            if (data116.headers === void 0) {
              let err342 = { instancePath: instancePath + "/webhooks/" + i12, schemaPath: "#/properties/webhooks/items/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
              vErrors === null ? vErrors = [err342] : vErrors.push(err342), errors++;
            }
            if (data116.allow_private === void 0) {
              let err343 = { instancePath: instancePath + "/webhooks/" + i12, schemaPath: "#/properties/webhooks/items/required", keyword: "required", params: { missingProperty: "allow_private" }, message: "must have required property 'allow_private'" };
              vErrors === null ? vErrors = [err343] : vErrors.push(err343), errors++;
            }
            for (let key16 in data116)
              if (!(key16 === "url" || key16 === "events" || key16 === "secret" || key16 === "headers" || key16 === "allow_private")) {
                let err344 = { instancePath: instancePath + "/webhooks/" + i12, schemaPath: "#/properties/webhooks/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key16 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err344] : vErrors.push(err344), errors++;
              }
            if (data116.url !== void 0) {
              let data117 = data116.url;
              if (typeof data117 == "string") {
                if (func2(data117) > 2048) {
                  let err345 = { instancePath: instancePath + "/webhooks/" + i12 + "/url", schemaPath: "#/properties/webhooks/items/properties/url/maxLength", keyword: "maxLength", params: { limit: 2048 }, message: "must NOT have more than 2048 characters" };
                  vErrors === null ? vErrors = [err345] : vErrors.push(err345), errors++;
                }
                if (!pattern31.test(data117)) {
                  let err346 = { instancePath: instancePath + "/webhooks/" + i12 + "/url", schemaPath: "#/properties/webhooks/items/properties/url/pattern", keyword: "pattern", params: { pattern: "^https?://[^\\s/?#]+\\S*$" }, message: 'must match pattern "^https?://[^\\s/?#]+\\S*$"' };
                  vErrors === null ? vErrors = [err346] : vErrors.push(err346), errors++;
                }
              } else {
                let err347 = { instancePath: instancePath + "/webhooks/" + i12 + "/url", schemaPath: "#/properties/webhooks/items/properties/url/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err347] : vErrors.push(err347), errors++;
              }
            }
            if (data116.events !== void 0) {
              let data118 = data116.events;
              if (Array.isArray(data118)) {
                if (data118.length < 1) {
                  let err348 = { instancePath: instancePath + "/webhooks/" + i12 + "/events", schemaPath: "#/properties/webhooks/items/properties/events/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
                  vErrors === null ? vErrors = [err348] : vErrors.push(err348), errors++;
                }
                let len13 = data118.length;
                for (let i13 = 0; i13 < len13; i13++) {
                  let data119 = data118[i13];
                  if (typeof data119 != "string") {
                    let err349 = { instancePath: instancePath + "/webhooks/" + i12 + "/events/" + i13, schemaPath: "#/properties/webhooks/items/properties/events/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    vErrors === null ? vErrors = [err349] : vErrors.push(err349), errors++;
                  }
                  if (!(data119 === "start" || data119 === "stop" || data119 === "health" || data119 === "scale" || data119 === "deploy")) {
                    let err350 = { instancePath: instancePath + "/webhooks/" + i12 + "/events/" + i13, schemaPath: "#/properties/webhooks/items/properties/events/items/enum", keyword: "enum", params: { allowedValues: schema31.properties.webhooks.items.properties.events.items.enum }, message: "must be equal to one of the allowed values" };
                    vErrors === null ? vErrors = [err350] : vErrors.push(err350), errors++;
                  }
                }
                let i14 = data118.length, j0;
                if (i14 > 1) {
                  let indices0 = {};
                  for (; i14--; ) {
                    let item0 = data118[i14];
                    if (typeof item0 == "string") {
                      if (typeof indices0[item0] == "number") {
                        j0 = indices0[item0];
                        let err351 = { instancePath: instancePath + "/webhooks/" + i12 + "/events", schemaPath: "#/properties/webhooks/items/properties/events/uniqueItems", keyword: "uniqueItems", params: { i: i14, j: j0 }, message: "must NOT have duplicate items (items ## " + j0 + " and " + i14 + " are identical)" };
                        vErrors === null ? vErrors = [err351] : vErrors.push(err351), errors++;
                        break;
                      }
                      indices0[item0] = i14;
                    }
                  }
                }
              } else {
                let err352 = { instancePath: instancePath + "/webhooks/" + i12 + "/events", schemaPath: "#/properties/webhooks/items/properties/events/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                vErrors === null ? vErrors = [err352] : vErrors.push(err352), errors++;
              }
            }
            if (data116.secret !== void 0) {
              let data120 = data116.secret;
              if (typeof data120 == "string") {
                if (!pattern32.test(data120)) {
                  let err353 = { instancePath: instancePath + "/webhooks/" + i12 + "/secret", schemaPath: "#/properties/webhooks/items/properties/secret/pattern", keyword: "pattern", params: { pattern: "^(whsec_[A-Za-z0-9+/]{32,86}={0,2}|meta\\.[^]+)$" }, message: 'must match pattern "^(whsec_[A-Za-z0-9+/]{32,86}={0,2}|meta\\.[^]+)$"' };
                  vErrors === null ? vErrors = [err353] : vErrors.push(err353), errors++;
                }
              } else {
                let err354 = { instancePath: instancePath + "/webhooks/" + i12 + "/secret", schemaPath: "#/properties/webhooks/items/properties/secret/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err354] : vErrors.push(err354), errors++;
              }
            }
            if (data116.headers !== void 0) {
              let data121 = data116.headers;
              if (data121 && typeof data121 == "object" && !Array.isArray(data121)) {
                var props4 = {};
                for (let key17 in data121)
                  if (pattern7.test(key17)) {
                    if (typeof data121[key17] != "string") {
                      let err355 = { instancePath: instancePath + "/webhooks/" + i12 + "/headers/" + key17.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/webhooks/items/properties/headers/patternProperties/%5E%5B%5E%5Cs%3D%5D%2B%24/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err355] : vErrors.push(err355), errors++;
                    }
                    props4[key17] = !0;
                  }
              } else {
                let err356 = { instancePath: instancePath + "/webhooks/" + i12 + "/headers", schemaPath: "#/properties/webhooks/items/properties/headers/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                vErrors === null ? vErrors = [err356] : vErrors.push(err356), errors++;
              }
            }
            if (data116.allow_private !== void 0 && typeof data116.allow_private != "boolean") {
              let err357 = { instancePath: instancePath + "/webhooks/" + i12 + "/allow_private", schemaPath: "#/properties/webhooks/items/properties/allow_private/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
              vErrors === null ? vErrors = [err357] : vErrors.push(err357), errors++;
            }
          } else {
            let err358 = { instancePath: instancePath + "/webhooks/" + i12, schemaPath: "#/properties/webhooks/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err358] : vErrors.push(err358), errors++;
          }
        }
      } else {
        let err359 = { instancePath: instancePath + "/webhooks", schemaPath: "#/properties/webhooks/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err359] : vErrors.push(err359), errors++;
      }
    }
    if (data.schedule !== void 0) {
      let data124 = data.schedule;
      if (data124 && typeof data124 == "object" && !Array.isArray(data124)) {
        if (data124.kind === void 0) {
          let err360 = { instancePath: instancePath + "/schedule", schemaPath: "#/properties/schedule/required", keyword: "required", params: { missingProperty: "kind" }, message: "must have required property 'kind'" };
          vErrors === null ? vErrors = [err360] : vErrors.push(err360), errors++;
        }
        if (data124.expression === void 0) {
          let err361 = { instancePath: instancePath + "/schedule", schemaPath: "#/properties/schedule/required", keyword: "required", params: { missingProperty: "expression" }, message: "must have required property 'expression'" };
          vErrors === null ? vErrors = [err361] : vErrors.push(err361), errors++;
        }
        if (data124.overlap === void 0) {
          let err362 = { instancePath: instancePath + "/schedule", schemaPath: "#/properties/schedule/required", keyword: "required", params: { missingProperty: "overlap" }, message: "must have required property 'overlap'" };
          vErrors === null ? vErrors = [err362] : vErrors.push(err362), errors++;
        }
        for (let key18 in data124)
          if (!(key18 === "kind" || key18 === "expression" || key18 === "epsilon" || key18 === "timezone" || key18 === "overlap")) {
            let err363 = { instancePath: instancePath + "/schedule", schemaPath: "#/properties/schedule/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key18 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err363] : vErrors.push(err363), errors++;
          }
        if (data124.kind !== void 0) {
          let data125 = data124.kind;
          if (typeof data125 != "string") {
            let err364 = { instancePath: instancePath + "/schedule/kind", schemaPath: "#/properties/schedule/properties/kind/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err364] : vErrors.push(err364), errors++;
          }
          if (!(data125 === "interval" || data125 === "cron")) {
            let err365 = { instancePath: instancePath + "/schedule/kind", schemaPath: "#/properties/schedule/properties/kind/enum", keyword: "enum", params: { allowedValues: schema31.properties.schedule.properties.kind.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err365] : vErrors.push(err365), errors++;
          }
        }
        if (data124.expression !== void 0) {
          let data126 = data124.expression;
          if (typeof data126 == "string") {
            if (func2(data126) > 256) {
              let err366 = { instancePath: instancePath + "/schedule/expression", schemaPath: "#/properties/schedule/properties/expression/maxLength", keyword: "maxLength", params: { limit: 256 }, message: "must NOT have more than 256 characters" };
              vErrors === null ? vErrors = [err366] : vErrors.push(err366), errors++;
            }
            if (func2(data126) < 1) {
              let err367 = { instancePath: instancePath + "/schedule/expression", schemaPath: "#/properties/schedule/properties/expression/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              vErrors === null ? vErrors = [err367] : vErrors.push(err367), errors++;
            }
          } else {
            let err368 = { instancePath: instancePath + "/schedule/expression", schemaPath: "#/properties/schedule/properties/expression/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err368] : vErrors.push(err368), errors++;
          }
        }
        if (data124.epsilon !== void 0) {
          let data127 = data124.epsilon;
          if (typeof data127 == "number" && isFinite(data127)) {
            if (data127 > 31536e3 || isNaN(data127)) {
              let err369 = { instancePath: instancePath + "/schedule/epsilon", schemaPath: "#/properties/schedule/properties/epsilon/maximum", keyword: "maximum", params: { comparison: "<=", limit: 31536e3 }, message: "must be <= 31536000" };
              vErrors === null ? vErrors = [err369] : vErrors.push(err369), errors++;
            }
            if (data127 < 1 || isNaN(data127)) {
              let err370 = { instancePath: instancePath + "/schedule/epsilon", schemaPath: "#/properties/schedule/properties/epsilon/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              vErrors === null ? vErrors = [err370] : vErrors.push(err370), errors++;
            }
          } else {
            let err371 = { instancePath: instancePath + "/schedule/epsilon", schemaPath: "#/properties/schedule/properties/epsilon/type", keyword: "type", params: { type: "number" }, message: "must be number" };
            vErrors === null ? vErrors = [err371] : vErrors.push(err371), errors++;
          }
        }
        if (data124.timezone !== void 0) {
          let data128 = data124.timezone;
          if (typeof data128 == "string") {
            if (func2(data128) < 1) {
              let err372 = { instancePath: instancePath + "/schedule/timezone", schemaPath: "#/properties/schedule/properties/timezone/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              vErrors === null ? vErrors = [err372] : vErrors.push(err372), errors++;
            }
          } else {
            let err373 = { instancePath: instancePath + "/schedule/timezone", schemaPath: "#/properties/schedule/properties/timezone/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err373] : vErrors.push(err373), errors++;
          }
        }
        if (data124.overlap !== void 0) {
          let data129 = data124.overlap;
          if (typeof data129 != "string") {
            let err374 = { instancePath: instancePath + "/schedule/overlap", schemaPath: "#/properties/schedule/properties/overlap/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err374] : vErrors.push(err374), errors++;
          }
          if (!(data129 === "skip" || data129 === "allow" || data129 === "replace")) {
            let err375 = { instancePath: instancePath + "/schedule/overlap", schemaPath: "#/properties/schedule/properties/overlap/enum", keyword: "enum", params: { allowedValues: schema31.properties.schedule.properties.overlap.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err375] : vErrors.push(err375), errors++;
          }
        }
      } else {
        let err376 = { instancePath: instancePath + "/schedule", schemaPath: "#/properties/schedule/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err376] : vErrors.push(err376), errors++;
      }
    }
  } else {
    let err377 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err377] : vErrors.push(err377), errors++;
  }
  return validate20.errors = vErrors, errors === 0;
}
validate20.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
var checkPackages = validate21;
var pattern34 = new RegExp("^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$", "u"), pattern35 = new RegExp("^[a-zA-Z0-9](?!.*[_.-]{2})([a-zA-Z0-9_.-]*[a-zA-Z0-9])?$", "u");
function validate21(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null, errors = 0, evaluated0 = validate21.evaluated;
  if (evaluated0.dynamicProps && (evaluated0.props = void 0), evaluated0.dynamicItems && (evaluated0.items = void 0), data && typeof data == "object" && !Array.isArray(data)) {
    if (data.packages === void 0) {
      let err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "packages" }, message: "must have required property 'packages'" };
      vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
    }
    for (let key0 in data)
      if (key0 !== "packages") {
        let err1 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
      }
    if (data.packages !== void 0) {
      let data0 = data.packages;
      if (Array.isArray(data0)) {
        if (data0.length > 1e3) {
          let err2 = { instancePath: instancePath + "/packages", schemaPath: "#/properties/packages/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" };
          vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
        }
        let len0 = data0.length;
        for (let i0 = 0; i0 < len0; i0++) {
          let data1 = data0[i0];
          if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
            if (data1.name === void 0) {
              let err3 = { instancePath: instancePath + "/packages/" + i0, schemaPath: "#/properties/packages/items/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'" };
              vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
            }
            if (data1.family === void 0) {
              let err4 = { instancePath: instancePath + "/packages/" + i0, schemaPath: "#/properties/packages/items/required", keyword: "required", params: { missingProperty: "family" }, message: "must have required property 'family'" };
              vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
            }
            if (data1.ram === void 0) {
              let err5 = { instancePath: instancePath + "/packages/" + i0, schemaPath: "#/properties/packages/items/required", keyword: "required", params: { missingProperty: "ram" }, message: "must have required property 'ram'" };
              vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
            }
            if (data1.disk === void 0) {
              let err6 = { instancePath: instancePath + "/packages/" + i0, schemaPath: "#/properties/packages/items/required", keyword: "required", params: { missingProperty: "disk" }, message: "must have required property 'disk'" };
              vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
            }
            if (data1.cpu === void 0) {
              let err7 = { instancePath: instancePath + "/packages/" + i0, schemaPath: "#/properties/packages/items/required", keyword: "required", params: { missingProperty: "cpu" }, message: "must have required property 'cpu'" };
              vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
            }
            for (let key1 in data1)
              if (!(key1 === "uuid" || key1 === "name" || key1 === "family" || key1 === "ram" || key1 === "disk" || key1 === "cpu")) {
                let err8 = { instancePath: instancePath + "/packages/" + i0, schemaPath: "#/properties/packages/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
              }
            if (data1.uuid !== void 0) {
              let data2 = data1.uuid;
              if (typeof data2 == "string") {
                if (!pattern34.test(data2)) {
                  let err9 = { instancePath: instancePath + "/packages/" + i0 + "/uuid", schemaPath: "#/properties/packages/items/properties/uuid/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$" }, message: 'must match pattern "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"' };
                  vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
                }
              } else {
                let err10 = { instancePath: instancePath + "/packages/" + i0 + "/uuid", schemaPath: "#/properties/packages/items/properties/uuid/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++;
              }
            }
            if (data1.name !== void 0) {
              let data3 = data1.name;
              if (typeof data3 == "string") {
                if (func2(data3) > 128) {
                  let err11 = { instancePath: instancePath + "/packages/" + i0 + "/name", schemaPath: "#/properties/packages/items/properties/name/maxLength", keyword: "maxLength", params: { limit: 128 }, message: "must NOT have more than 128 characters" };
                  vErrors === null ? vErrors = [err11] : vErrors.push(err11), errors++;
                }
                if (!pattern35.test(data3)) {
                  let err12 = { instancePath: instancePath + "/packages/" + i0 + "/name", schemaPath: "#/properties/packages/items/properties/name/pattern", keyword: "pattern", params: { pattern: "^[a-zA-Z0-9](?!.*[_.-]{2})([a-zA-Z0-9_.-]*[a-zA-Z0-9])?$" }, message: 'must match pattern "^[a-zA-Z0-9](?!.*[_.-]{2})([a-zA-Z0-9_.-]*[a-zA-Z0-9])?$"' };
                  vErrors === null ? vErrors = [err12] : vErrors.push(err12), errors++;
                }
              } else {
                let err13 = { instancePath: instancePath + "/packages/" + i0 + "/name", schemaPath: "#/properties/packages/items/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err13] : vErrors.push(err13), errors++;
              }
            }
            if (data1.family !== void 0) {
              let data4 = data1.family;
              if (typeof data4 == "string") {
                if (!pattern6.test(data4)) {
                  let err14 = { instancePath: instancePath + "/packages/" + i0 + "/family", schemaPath: "#/properties/packages/items/properties/family/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]*$" }, message: 'must match pattern "^[A-Za-z0-9][A-Za-z0-9_.-]*$"' };
                  vErrors === null ? vErrors = [err14] : vErrors.push(err14), errors++;
                }
              } else {
                let err15 = { instancePath: instancePath + "/packages/" + i0 + "/family", schemaPath: "#/properties/packages/items/properties/family/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err15] : vErrors.push(err15), errors++;
              }
            }
            if (data1.ram !== void 0) {
              let data5 = data1.ram;
              if (!(typeof data5 == "number" && !(data5 % 1) && !isNaN(data5) && isFinite(data5))) {
                let err16 = { instancePath: instancePath + "/packages/" + i0 + "/ram", schemaPath: "#/properties/packages/items/properties/ram/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err16] : vErrors.push(err16), errors++;
              }
              if (typeof data5 == "number" && isFinite(data5)) {
                if (data5 > 1073741824 || isNaN(data5)) {
                  let err17 = { instancePath: instancePath + "/packages/" + i0 + "/ram", schemaPath: "#/properties/packages/items/properties/ram/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1073741824 }, message: "must be <= 1073741824" };
                  vErrors === null ? vErrors = [err17] : vErrors.push(err17), errors++;
                }
                if (data5 < 1 || isNaN(data5)) {
                  let err18 = { instancePath: instancePath + "/packages/" + i0 + "/ram", schemaPath: "#/properties/packages/items/properties/ram/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                  vErrors === null ? vErrors = [err18] : vErrors.push(err18), errors++;
                }
              }
            }
            if (data1.disk !== void 0) {
              let data6 = data1.disk;
              if (!(typeof data6 == "number" && !(data6 % 1) && !isNaN(data6) && isFinite(data6))) {
                let err19 = { instancePath: instancePath + "/packages/" + i0 + "/disk", schemaPath: "#/properties/packages/items/properties/disk/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err19] : vErrors.push(err19), errors++;
              }
              if (typeof data6 == "number" && isFinite(data6)) {
                if (data6 > 1073741824 || isNaN(data6)) {
                  let err20 = { instancePath: instancePath + "/packages/" + i0 + "/disk", schemaPath: "#/properties/packages/items/properties/disk/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1073741824 }, message: "must be <= 1073741824" };
                  vErrors === null ? vErrors = [err20] : vErrors.push(err20), errors++;
                }
                if (data6 < 1 || isNaN(data6)) {
                  let err21 = { instancePath: instancePath + "/packages/" + i0 + "/disk", schemaPath: "#/properties/packages/items/properties/disk/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                  vErrors === null ? vErrors = [err21] : vErrors.push(err21), errors++;
                }
              }
            }
            if (data1.cpu !== void 0) {
              let data7 = data1.cpu;
              if (!(typeof data7 == "number" && !(data7 % 1) && !isNaN(data7) && isFinite(data7))) {
                let err22 = { instancePath: instancePath + "/packages/" + i0 + "/cpu", schemaPath: "#/properties/packages/items/properties/cpu/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err22] : vErrors.push(err22), errors++;
              }
              if (typeof data7 == "number" && isFinite(data7)) {
                if (data7 > 1e6 || isNaN(data7)) {
                  let err23 = { instancePath: instancePath + "/packages/" + i0 + "/cpu", schemaPath: "#/properties/packages/items/properties/cpu/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e6 }, message: "must be <= 1000000" };
                  vErrors === null ? vErrors = [err23] : vErrors.push(err23), errors++;
                }
                if (data7 < 1 || isNaN(data7)) {
                  let err24 = { instancePath: instancePath + "/packages/" + i0 + "/cpu", schemaPath: "#/properties/packages/items/properties/cpu/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                  vErrors === null ? vErrors = [err24] : vErrors.push(err24), errors++;
                }
              }
            }
          } else {
            let err25 = { instancePath: instancePath + "/packages/" + i0, schemaPath: "#/properties/packages/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err25] : vErrors.push(err25), errors++;
          }
        }
      } else {
        let err26 = { instancePath: instancePath + "/packages", schemaPath: "#/properties/packages/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err26] : vErrors.push(err26), errors++;
      }
    }
  } else {
    let err27 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err27] : vErrors.push(err27), errors++;
  }
  return validate21.errors = vErrors, errors === 0;
}
validate21.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
var serviceSchema = { type: "object", required: ["name", "service_type", "compute_type", "environment", "volumes", "ports", "dns", "dns-search", "labels", "affinity", "restart", "stop", "triggers", "webhooks"], properties: { name: { type: "string", pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$", expected: "a DNS label: a-z, 0-9 and -, at most 63 characters" }, service_type: { enum: ["continuous", "scheduled", "event"], type: "string", expected: "one of continuous, scheduled, event" }, compute_type: { enum: ["docker", "process", "infrastructure", "kvm", "manta"], type: "string", expected: "one of docker, process, infrastructure (or lx, smartmachine), kvm (or vm, hvm), manta" }, image: { type: "string", minLength: 1, maxLength: 512, pattern: "^\\S+$", expected: "the name of an image, such as nginx:1.27" }, package: { type: "string", minLength: 1, maxLength: 128, pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]*$", expected: "the name, uuid or family of a package" }, memory: { type: "integer", minimum: 4, maximum: 67108864, expected: "a whole number of MiB, or a size such as 512M or 1.5GiB, at least 4" }, command: { type: "array", items: { type: "string" }, expected: "a list of words, or one line of text that is split into words" }, entrypoint: { type: "array", items: { type: "string" }, expected: "a list of words, or one line of text that is split into words" }, environment: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" }, user: { type: "string", minLength: 1, pattern: "^[^\\s]+$", expected: "a user name or id, with an optional :group for docker" }, working_dir: { type: "string", pattern: "^/", expected: "an absolute path" }, volumes: { type: "array", items: { type: "object", required: ["path", "readonly"], properties: { name: { type: "string", pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$", expected: "a name of letters, digits, _ and -, at most 63 characters" }, host: { type: "string", pattern: `^(?:/|(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?)$`, maxLength: 1e3, expected: "an absolute path, without a colon, blanks, quotes, \\, . and .." }, tmpfs: { type: "boolean", const: !0, expected: "true" }, path: { type: "string", pattern: `^(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?$`, maxLength: 1e3, expected: "an absolute path below /, without a colon, blanks, quotes, \\, . and .." }, readonly: { type: "boolean" }, scope: { enum: ["instance", "service"], type: "string", expected: "one of instance, service" }, size: { type: "integer", minimum: 1, maximum: 1048576, expected: "a size such as 64M, from 1M to 1T" } }, additionalProperties: !1, expected: 'a volume such as "data:/var/lib/data", "/etc/ssl:/etc/ssl:ro", or a map with path and one of name, host and tmpfs' }, maxItems: 100, expected: "a list of volumes, at most 100" }, ports: { type: "array", items: { type: "object", required: ["container", "protocol"], properties: { ip: { type: "string" }, host: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 0 }, container: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 }, protocol: { enum: ["tcp", "udp"], type: "string", expected: "one of tcp, udp" } }, additionalProperties: !1, expected: 'a port such as 8080, "80:8080", "127.0.0.1:80:8080", "53/udp" or "8000-8003"' }, maxItems: 1e3, expected: "a list of ports, at most 1000" }, dns: { type: "array", items: { type: "string", minLength: 2, expected: "an IPv4 or IPv6 address" }, maxItems: 10, expected: "a list of at most 10 addresses" }, "dns-search": { type: "array", items: { type: "string", pattern: "^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?(\\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?)*\\.?$", expected: "a domain such as example.com" }, maxItems: 32, expected: "a list of at most 32 domains" }, cns: { type: "object", properties: { services: { type: "array", items: { type: "string", minLength: 1, expected: "a name such as web:8080" }, maxItems: 100, expected: "a list of at most 100 names such as web:8080:priority=1:weight=20" }, ttl: { type: "integer", minimum: 0, maximum: 3600, expected: "whole seconds from 0 to 3600" }, disable: { type: "boolean", expected: "true or false" } }, additionalProperties: !1, expected: "a map with services, ttl and disable" }, labels: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" }, affinity: { type: "array", items: { type: "object", required: ["key", "operator", "value"], properties: { key: { type: "string", pattern: "^[A-Za-z_][A-Za-z0-9_.-]+$", expected: "container, instance, service, machine.<key> or the name of a tag, of two characters or more" }, operator: { enum: ["==", "!=", "==~", "!=~"], type: "string", expected: "one of ==, !=, ==~, !=~" }, value: { type: "string", maxLength: 256, pattern: "^[A-Za-z0-9:_\\s.*/()?+[\\]\\\\^$|-]+$", expected: "a text, a glob such as web-*, or a /regular expression/, without , = ~ @ and braces" }, by: { type: "string", pattern: "^[A-Za-z0-9_.-]{1,128}$", expected: "a key of machine metadata, such as rack" } }, additionalProperties: !1, expected: "a rule such as role!=database" }, maxItems: 100, expected: "a list of at most 100 rules such as role!=database" }, spread: { type: "string", pattern: "^[A-Za-z0-9_.-]{1,128}$", expected: "a key of machine metadata, such as rack" }, restart: { type: "object", required: ["policy"], properties: { policy: { enum: ["no", "on-failure", "always", "unless-stopped"], type: "string", expected: "one of no, on-failure, always, unless-stopped" }, max: { type: "integer", minimum: 1, maximum: 1e6, expected: "a whole number from 1" } }, additionalProperties: !1, expected: "no, on-failure, on-failure:3, always or unless-stopped" }, stop: { type: "object", required: ["timeout", "preservestopped"], properties: { timeout: { type: "integer", minimum: -1e9, maximum: 1e9, expected: 'whole seconds: a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M' }, preservestopped: { enum: ["on-failure", "no", "always"], type: "string", expected: "one of on-failure, no, always" } }, additionalProperties: !1, expected: "a map with timeout and preservestopped" }, healthchecks: { type: "array", items: { type: "object", required: ["type"], discriminator: { propertyName: "type" }, oneOf: [{ type: "object", required: ["type", "network", "port", "path", "poll", "timeout", "retries"], properties: { type: { enum: ["http", "https"], type: "string", expected: "one of http, https" }, network: { type: "string", minLength: 1, maxLength: 64, pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "the name or uuid of a network" }, port: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 }, path: { type: "string", pattern: "^/", expected: "a path that begins with /" }, poll: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, timeout: { type: "number", minimum: 0.01, maximum: 3600, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.01 to 3600 seconds' }, retries: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, start_period: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, start_interval: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, redirects: { type: "integer", minimum: 0, maximum: 10, expected: "a whole number from 0 to 10" }, host: { type: "string", pattern: "^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$", expected: "the name of a host" }, verify: { type: "boolean", expected: "true or false" } }, additionalProperties: !1 }, { type: "object", required: ["type", "command", "poll", "timeout", "retries"], properties: { type: { enum: ["command"], type: "string", expected: "one of command" }, command: { type: "array", items: { type: "string" }, minItems: 1, expected: "a list of words, or one line of text that is split into words" }, user: { type: "string", minLength: 1, expected: "a user name or id" }, poll: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, timeout: { type: "number", minimum: 0.01, maximum: 3600, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.01 to 3600 seconds' }, retries: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, start_period: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, start_interval: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' } }, additionalProperties: !1 }], expected: "a map with type http, https or command" }, maxItems: 20, expected: "a list of at most 20 checks" }, containerpilot: { type: "object", required: ["port"], properties: { network: { type: "string", minLength: 1, maxLength: 64, pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "the name or uuid of a network" }, port: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 } }, additionalProperties: !1, expected: "a map with network and port" }, autoscale: { type: "object", required: ["enable", "min", "retrigger_delay", "notify_email"], properties: { enable: { enum: ["notify", !0, !1], expected: "notify, true or false" }, min: { type: "integer", minimum: 0, maximum: 1e5, expected: "a whole number from 0 to 100000" }, max: { type: "integer", minimum: 1, maximum: 1e5, expected: "a whole number from 1 to 100000" }, retrigger_delay: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, notify_email: { type: "array", items: { type: "string", pattern: "^[^\\s@<>,;]+@[^\\s@<>,;]+$", maxLength: 254, expected: "an e-mail address" }, maxItems: 20, expected: "a list of at most 20 e-mail addresses" } }, additionalProperties: !1, expected: "a map with enable, min, max, retrigger_delay and notify_email" }, triggers: { type: "array", items: { type: "object", if: { anyOf: [{ required: ["url"] }, { required: ["secret"] }] }, then: { type: "object", required: ["name", "url", "action"], properties: { name: { type: "string", pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "a name of letters, digits, _, . and -, at most 64 characters" }, url: { const: !0, expected: "true" }, secret: { type: "string", minLength: 8, maxLength: 256, pattern: "^([\\x21-\\x7e]+|meta\\.[^]+)$", expected: "a secret of 8 to 256 letters, digits and signs without blanks", secret: !0 }, action: { enum: ["start", "stop", "scale"], type: "string", expected: "one of start, stop, scale" }, scale: { type: "integer", minimum: 0, maximum: 1e5, expected: "a whole number from 0 to 100000" }, instances: { type: "integer", minimum: -1e4, maximum: 1e4, expected: "a whole number from -10000 to 10000" } }, additionalProperties: !1, expected: "a trigger with secret (or url: true) and action" }, else: { type: "object", required: ["name", "source", "operator", "value", "percent", "time", "aggregate", "action", "instances"], properties: { name: { type: "string", pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "a name of letters, digits, _, . and -, at most 64 characters" }, source: { type: "string", pattern: "^(service\\.[A-Za-z0-9_-]{1,63}\\.)?(containermonitor|containerpilot)(\\|(containermonitor|containerpilot))?\\.[A-Za-z_:][A-Za-z0-9_:]*$", expected: "containermonitor.<metric>, containerpilot.<metric>, or the same behind service.<name>." }, operator: { enum: ["<", "<=", ">", ">=", "==", "!="], type: "string", expected: "one of <, <=, >, >=, ==, !=" }, value: { type: "number", expected: "a number, or a percentage such as 80%" }, percent: { type: "boolean", expected: "true or false" }, time: { type: "number", minimum: 1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 1 to 86400 seconds' }, aggregate: { enum: ["avg", "min", "max", "sum", "p90"], type: "string", expected: "one of avg, min, max, sum, p90" }, action: { enum: ["increment", "decrement"], type: "string", expected: "increment (or incr), or decrement (or decr)" }, instances: { type: "integer", minimum: 1, maximum: 1e4, expected: "a whole number from 1 to 10000" } }, additionalProperties: !1, expected: "a trigger with source, operator, value, time and action" }, expected: "a trigger" }, maxItems: 50, expected: "a list or a map of at most 50 triggers" }, webhooks: { type: "array", items: { type: "object", required: ["url", "events", "headers", "allow_private"], properties: { url: { type: "string", pattern: "^https?://[^\\s/?#]+\\S*$", maxLength: 2048, expected: "a URL that begins with https:// or http://" }, events: { type: "array", items: { enum: ["start", "stop", "health", "scale", "deploy"], type: "string", expected: "one of start, stop, health, scale, deploy" }, minItems: 1, uniqueItems: !0, expected: "a list of start, stop, health, scale, deploy, each once" }, secret: { type: "string", pattern: "^(whsec_[A-Za-z0-9+/]{32,86}={0,2}|meta\\.[^]+)$", secret: !0, expected: "whsec_ and the base64 of 24 to 64 bytes" }, headers: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" }, allow_private: { type: "boolean", expected: "true or false" } }, additionalProperties: !1, expected: "a map with url" }, maxItems: 20, expected: "a list of at most 20 webhooks" }, schedule: { type: "object", required: ["kind", "expression", "overlap"], properties: { kind: { enum: ["interval", "cron"], type: "string", expected: "one of interval, cron" }, expression: { type: "string", minLength: 1, maxLength: 256, expected: 'an interval such as R/2026-01-01T00:00:00Z/PT1H, or a cron line such as "15 3 * * *"' }, epsilon: { type: "number", minimum: 1, maximum: 31536e3, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 1 to 31536000 seconds' }, timezone: { type: "string", minLength: 1, expected: "a time zone such as Europe/Berlin" }, overlap: { enum: ["skip", "allow", "replace"], type: "string", expected: "one of skip, allow, replace" } }, additionalProperties: !1, expected: "an ISO 8601 repeating interval such as R/2026-01-01T00:00:00Z/PT1H, a cron line, or a map" } }, additionalProperties: !1, expected: "a map of manifest keys" }, packagesSchema = { type: "object", required: ["packages"], properties: { packages: { type: "array", items: { type: "object", required: ["name", "family", "ram", "disk", "cpu"], properties: { uuid: { type: "string", pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$", expected: "a uuid in lower case" }, name: { type: "string", pattern: "^[a-zA-Z0-9](?!.*[_.-]{2})([a-zA-Z0-9_.-]*[a-zA-Z0-9])?$", maxLength: 128, expected: "a name of letters, digits, _, . and -, no two signs in a row" }, family: { type: "string", pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]*$", expected: "a name of letters, digits, _, . and -" }, ram: { type: "integer", minimum: 1, maximum: 1073741824, expected: "a whole number of MiB, or a size such as 512M or 1.5GiB, at least 1" }, disk: { type: "integer", minimum: 1, maximum: 1073741824, expected: "a whole number of MiB, or a size such as 512M or 1.5GiB, at least 1" }, cpu: { type: "integer", minimum: 1, maximum: 1e6, expected: "hundredths of a core, such as 100 for one core" } }, additionalProperties: !1, expected: "a map with name, family, ram, disk and cpu" }, maxItems: 1e3, expected: "a list of at most 1000 packages" } }, additionalProperties: !1, expected: "a list of packages" };
export {
  checkPackages,
  checkService,
  packagesSchema,
  serviceSchema
};
