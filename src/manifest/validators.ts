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
var checkService = validate20, schema31 = { type: "object", required: ["name", "service_type", "compute_type", "environment", "volumes", "ports", "dns", "dns-search", "labels", "affinity", "restart", "stop", "triggers", "webhooks"], properties: { name: { type: "string", pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$", expected: "a DNS label: a-z, 0-9 and -, at most 63 characters" }, description: { type: "string", minLength: 1, maxLength: 1e3, expected: "a text of at most 1000 characters" }, service_type: { enum: ["continuous", "scheduled", "event"], type: "string", expected: "one of continuous, scheduled, event" }, compute_type: { enum: ["docker", "process", "infrastructure", "kvm", "manta"], type: "string", expected: "one of docker, process, infrastructure (or lx, smartmachine), kvm (or vm, hvm), manta" }, image: { type: "string", minLength: 1, maxLength: 512, pattern: "^\\S+$", expected: "the name of an image, such as nginx:1.27" }, package: { type: "string", minLength: 1, maxLength: 128, pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]*$", expected: "the name, uuid or family of a package" }, memory: { type: "integer", minimum: 4, maximum: 67108864, expected: "a whole number of MiB, or a size such as 512M or 1.5GiB, at least 4" }, command: { type: "array", items: { type: "string" }, expected: "a list of words, or one line of text that is split into words" }, entrypoint: { type: "array", items: { type: "string" }, expected: "a list of words, or one line of text that is split into words" }, environment: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" }, user: { type: "string", minLength: 1, pattern: "^[^\\s]+$", expected: "a user name or id, with an optional :group for docker" }, working_dir: { type: "string", pattern: "^/", expected: "an absolute path" }, volumes: { type: "array", items: { type: "object", required: ["path", "readonly"], properties: { name: { type: "string", pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$", expected: "a name of letters, digits, _ and -, at most 63 characters" }, host: { type: "string", pattern: `^(?:/|(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?)$`, maxLength: 1e3, expected: "an absolute path, without a colon, blanks, quotes, \\, . and .." }, tmpfs: { type: "boolean", const: !0, expected: "true" }, path: { type: "string", pattern: `^(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?$`, maxLength: 1e3, expected: "an absolute path below /, without a colon, blanks, quotes, \\, . and .." }, readonly: { type: "boolean" }, scope: { enum: ["instance", "service"], type: "string", expected: "one of instance, service" }, size: { type: "integer", minimum: 1, maximum: 1048576, expected: "a size such as 64M, from 1M to 1T" } }, additionalProperties: !1, expected: 'a volume such as "data:/var/lib/data", "/etc/ssl:/etc/ssl:ro", or a map with path and one of name, host and tmpfs' }, maxItems: 100, expected: "a list of volumes, at most 100" }, ports: { type: "array", items: { type: "object", required: ["container", "protocol"], properties: { ip: { type: "string" }, host: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 0 }, container: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 }, protocol: { enum: ["tcp", "udp"], type: "string", expected: "one of tcp, udp" } }, additionalProperties: !1, expected: 'a port such as 8080, "80:8080", "127.0.0.1:80:8080", "53/udp" or "8000-8003"' }, maxItems: 1e3, expected: "a list of ports, at most 1000" }, dns: { type: "array", items: { type: "string", minLength: 2, expected: "an IPv4 or IPv6 address" }, maxItems: 10, expected: "a list of at most 10 addresses" }, "dns-search": { type: "array", items: { type: "string", pattern: "^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?(\\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?)*\\.?$", expected: "a domain such as example.com" }, maxItems: 32, expected: "a list of at most 32 domains" }, cns: { type: "object", properties: { services: { type: "array", items: { type: "string", minLength: 1, expected: "a name such as web:8080" }, maxItems: 100, expected: "a list of at most 100 names such as web:8080:priority=1:weight=20" }, ttl: { type: "integer", minimum: 0, maximum: 3600, expected: "whole seconds from 0 to 3600" }, disable: { type: "boolean", expected: "true or false" } }, additionalProperties: !1, expected: "a map with services, ttl and disable" }, labels: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" }, affinity: { type: "array", items: { type: "object", required: ["key", "operator", "value"], properties: { key: { type: "string", pattern: "^[A-Za-z_][A-Za-z0-9_.-]+$", expected: "container, instance, service, machine.<key> or the name of a tag, of two characters or more" }, operator: { enum: ["==", "!=", "==~", "!=~"], type: "string", expected: "one of ==, !=, ==~, !=~" }, value: { type: "string", maxLength: 256, pattern: "^[A-Za-z0-9:_\\s.*/()?+[\\]\\\\^$|-]+$", expected: "a text, a glob such as web-*, or a /regular expression/, without , = ~ @ and braces" }, by: { type: "string", pattern: "^[A-Za-z0-9_.-]{1,128}$", expected: "a key of machine metadata, such as rack" } }, additionalProperties: !1, expected: "a rule such as role!=database" }, maxItems: 100, expected: "a list of at most 100 rules such as role!=database" }, spread: { type: "string", pattern: "^[A-Za-z0-9_.-]{1,128}$", expected: "a key of machine metadata, such as rack" }, restart: { type: "object", required: ["policy"], properties: { policy: { enum: ["no", "on-failure", "always", "unless-stopped"], type: "string", expected: "one of no, on-failure, always, unless-stopped" }, max: { type: "integer", minimum: 1, maximum: 1e6, expected: "a whole number from 1" } }, additionalProperties: !1, expected: "no, on-failure, on-failure:3, always or unless-stopped" }, stop: { type: "object", required: ["timeout", "preservestopped"], properties: { timeout: { type: "integer", minimum: -1e9, maximum: 1e9, expected: 'whole seconds: a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M' }, preservestopped: { enum: ["on-failure", "no", "always"], type: "string", expected: "one of on-failure, no, always" } }, additionalProperties: !1, expected: "a map with timeout and preservestopped" }, healthchecks: { type: "array", items: { type: "object", required: ["type"], discriminator: { propertyName: "type" }, oneOf: [{ type: "object", required: ["type", "network", "port", "path", "poll", "timeout", "retries"], properties: { type: { enum: ["http", "https"], type: "string", expected: "one of http, https" }, network: { type: "string", minLength: 1, maxLength: 64, pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "the name or uuid of a network" }, port: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 }, path: { type: "string", pattern: "^/", expected: "a path that begins with /" }, poll: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, timeout: { type: "number", minimum: 0.01, maximum: 3600, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.01 to 3600 seconds' }, retries: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, start_period: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, start_interval: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, redirects: { type: "integer", minimum: 0, maximum: 10, expected: "a whole number from 0 to 10" }, host: { type: "string", pattern: "^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$", expected: "the name of a host" }, verify: { type: "boolean", expected: "true or false" } }, additionalProperties: !1 }, { type: "object", required: ["type", "network", "port", "poll", "timeout", "retries"], properties: { type: { enum: ["tcp"], type: "string", expected: "one of tcp" }, network: { type: "string", minLength: 1, maxLength: 64, pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "the name or uuid of a network" }, port: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 }, poll: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, timeout: { type: "number", minimum: 0.01, maximum: 3600, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.01 to 3600 seconds' }, retries: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, start_period: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, start_interval: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' } }, additionalProperties: !1 }, { type: "object", required: ["type", "command", "poll", "timeout", "retries"], properties: { type: { enum: ["command"], type: "string", expected: "one of command" }, command: { type: "array", items: { type: "string" }, minItems: 1, expected: "a list of words, or one line of text that is split into words" }, user: { type: "string", minLength: 1, expected: "a user name or id" }, poll: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, timeout: { type: "number", minimum: 0.01, maximum: 3600, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.01 to 3600 seconds' }, retries: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, start_period: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, start_interval: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' } }, additionalProperties: !1 }], expected: "a map with type http, https, tcp or command" }, maxItems: 20, expected: "a list of at most 20 checks" }, containerpilot: { type: "object", required: ["port"], properties: { network: { type: "string", minLength: 1, maxLength: 64, pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "the name or uuid of a network" }, port: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 } }, additionalProperties: !1, expected: "a map with network and port" }, autoscale: { type: "object", required: ["enable", "min", "retrigger_delay", "notify_email"], properties: { enable: { enum: ["notify", !0, !1], expected: "notify, true or false" }, min: { type: "integer", minimum: 0, maximum: 1e5, expected: "a whole number from 0 to 100000" }, max: { type: "integer", minimum: 1, maximum: 1e5, expected: "a whole number from 1 to 100000" }, retrigger_delay: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, notify_email: { type: "array", items: { type: "string", pattern: "^[^\\s@<>,;]+@[^\\s@<>,;]+$", maxLength: 254, expected: "an e-mail address" }, maxItems: 20, expected: "a list of at most 20 e-mail addresses" } }, additionalProperties: !1, expected: "a map with enable, min, max, retrigger_delay and notify_email" }, triggers: { type: "array", items: { type: "object", if: { anyOf: [{ required: ["url"] }, { required: ["secret"] }] }, then: { type: "object", required: ["name", "url", "action"], properties: { name: { type: "string", pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "a name of letters, digits, _, . and -, at most 64 characters" }, url: { const: !0, expected: "true" }, secret: { type: "string", minLength: 8, maxLength: 256, pattern: "^([\\x21-\\x7e]+|meta\\.[^]+)$", expected: "a secret of 8 to 256 letters, digits and signs without blanks", secret: !0 }, action: { enum: ["start", "stop", "scale"], type: "string", expected: "one of start, stop, scale" }, scale: { type: "integer", minimum: 0, maximum: 1e5, expected: "a whole number from 0 to 100000" }, instances: { type: "integer", minimum: -1e4, maximum: 1e4, expected: "a whole number from -10000 to 10000" } }, additionalProperties: !1, expected: "a trigger with secret (or url: true) and action" }, else: { type: "object", required: ["name", "source", "operator", "value", "percent", "time", "aggregate", "action", "instances"], properties: { name: { type: "string", pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "a name of letters, digits, _, . and -, at most 64 characters" }, source: { type: "string", pattern: "^(service\\.[A-Za-z0-9_-]{1,63}\\.)?(containermonitor|containerpilot)(\\|(containermonitor|containerpilot))?\\.[A-Za-z_:][A-Za-z0-9_:]*$", expected: "containermonitor.<metric>, containerpilot.<metric>, or the same behind service.<name>." }, operator: { enum: ["<", "<=", ">", ">=", "==", "!="], type: "string", expected: "one of <, <=, >, >=, ==, !=" }, value: { type: "number", expected: "a number, or a percentage such as 80%" }, percent: { type: "boolean", expected: "true or false" }, time: { type: "number", minimum: 1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 1 to 86400 seconds' }, aggregate: { enum: ["avg", "min", "max", "sum", "p90"], type: "string", expected: "one of avg, min, max, sum, p90" }, action: { enum: ["increment", "decrement"], type: "string", expected: "increment (or incr), or decrement (or decr)" }, instances: { type: "integer", minimum: 1, maximum: 1e4, expected: "a whole number from 1 to 10000" } }, additionalProperties: !1, expected: "a trigger with source, operator, value, time and action" }, expected: "a trigger" }, maxItems: 50, expected: "a list or a map of at most 50 triggers" }, webhooks: { type: "array", items: { type: "object", required: ["url", "events", "headers", "allow_private"], properties: { url: { type: "string", pattern: "^https?://[^\\s/?#]+\\S*$", maxLength: 2048, expected: "a URL that begins with https:// or http://" }, events: { type: "array", items: { enum: ["start", "stop", "health", "scale", "deploy"], type: "string", expected: "one of start, stop, health, scale, deploy" }, minItems: 1, uniqueItems: !0, expected: "a list of start, stop, health, scale, deploy, each once" }, secret: { type: "string", pattern: "^(whsec_[A-Za-z0-9+/]{32,86}={0,2}|meta\\.[^]+)$", secret: !0, expected: "whsec_ and the base64 of 24 to 64 bytes" }, headers: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" }, allow_private: { type: "boolean", expected: "true or false" } }, additionalProperties: !1, expected: "a map with url" }, maxItems: 20, expected: "a list of at most 20 webhooks" }, schedule: { type: "object", required: ["kind", "expression", "overlap"], properties: { kind: { enum: ["interval", "cron"], type: "string", expected: "one of interval, cron" }, expression: { type: "string", minLength: 1, maxLength: 256, expected: 'an interval such as R/2026-01-01T00:00:00Z/PT1H, or a cron line such as "15 3 * * *"' }, epsilon: { type: "number", minimum: 1, maximum: 31536e3, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 1 to 31536000 seconds' }, timezone: { type: "string", minLength: 1, expected: "a time zone such as Europe/Berlin" }, overlap: { enum: ["skip", "allow", "replace"], type: "string", expected: "one of skip, allow, replace" } }, additionalProperties: !1, expected: "an ISO 8601 repeating interval such as R/2026-01-01T00:00:00Z/PT1H, a cron line, or a map" } }, additionalProperties: !1, expected: "a map of manifest keys", $id: "serviceSchema" }, func1 = Object.prototype.hasOwnProperty, func2 = require_ucs2length().default, pattern4 = new RegExp("^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$", "u"), pattern5 = new RegExp("^\\S+$", "u"), pattern6 = new RegExp("^[A-Za-z0-9][A-Za-z0-9_.-]*$", "u"), pattern7 = new RegExp("^[^\\s=]+$", "u"), pattern8 = new RegExp("^[^\\s]+$", "u"), pattern9 = new RegExp("^/", "u"), pattern10 = new RegExp("^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$", "u"), pattern11 = new RegExp(`^(?:/|(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?)$`, "u"), pattern12 = new RegExp(`^(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?$`, "u"), pattern13 = new RegExp("^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?(\\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?)*\\.?$", "u"), pattern15 = new RegExp("^[A-Za-z_][A-Za-z0-9_.-]+$", "u"), pattern16 = new RegExp("^[A-Za-z0-9:_\\s.*/()?+[\\]\\\\^$|-]+$", "u"), pattern17 = new RegExp("^[A-Za-z0-9_.-]{1,128}$", "u"), pattern19 = new RegExp("^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", "u"), pattern21 = new RegExp("^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$", "u"), pattern27 = new RegExp("^[^\\s@<>,;]+@[^\\s@<>,;]+$", "u"), pattern29 = new RegExp("^([\\x21-\\x7e]+|meta\\.[^]+)$", "u"), pattern31 = new RegExp("^(service\\.[A-Za-z0-9_-]{1,63}\\.)?(containermonitor|containerpilot)(\\|(containermonitor|containerpilot))?\\.[A-Za-z_:][A-Za-z0-9_:]*$", "u"), pattern32 = new RegExp("^https?://[^\\s/?#]+\\S*$", "u"), pattern33 = new RegExp("^(whsec_[A-Za-z0-9+/]{32,86}={0,2}|meta\\.[^]+)$", "u");
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
    if (data.description !== void 0) {
      let data1 = data.description;
      if (typeof data1 == "string") {
        if (func2(data1) > 1e3) {
          let err17 = { instancePath: instancePath + "/description", schemaPath: "#/properties/description/maxLength", keyword: "maxLength", params: { limit: 1e3 }, message: "must NOT have more than 1000 characters" };
          vErrors === null ? vErrors = [err17] : vErrors.push(err17), errors++;
        }
        if (func2(data1) < 1) {
          let err18 = { instancePath: instancePath + "/description", schemaPath: "#/properties/description/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err18] : vErrors.push(err18), errors++;
        }
      } else {
        let err19 = { instancePath: instancePath + "/description", schemaPath: "#/properties/description/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err19] : vErrors.push(err19), errors++;
      }
    }
    if (data.service_type !== void 0) {
      let data2 = data.service_type;
      if (typeof data2 != "string") {
        let err20 = { instancePath: instancePath + "/service_type", schemaPath: "#/properties/service_type/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err20] : vErrors.push(err20), errors++;
      }
      if (!(data2 === "continuous" || data2 === "scheduled" || data2 === "event")) {
        let err21 = { instancePath: instancePath + "/service_type", schemaPath: "#/properties/service_type/enum", keyword: "enum", params: { allowedValues: schema31.properties.service_type.enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err21] : vErrors.push(err21), errors++;
      }
    }
    if (data.compute_type !== void 0) {
      let data3 = data.compute_type;
      if (typeof data3 != "string") {
        let err22 = { instancePath: instancePath + "/compute_type", schemaPath: "#/properties/compute_type/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err22] : vErrors.push(err22), errors++;
      }
      if (!(data3 === "docker" || data3 === "process" || data3 === "infrastructure" || data3 === "kvm" || data3 === "manta")) {
        let err23 = { instancePath: instancePath + "/compute_type", schemaPath: "#/properties/compute_type/enum", keyword: "enum", params: { allowedValues: schema31.properties.compute_type.enum }, message: "must be equal to one of the allowed values" };
        vErrors === null ? vErrors = [err23] : vErrors.push(err23), errors++;
      }
    }
    if (data.image !== void 0) {
      let data4 = data.image;
      if (typeof data4 == "string") {
        if (func2(data4) > 512) {
          let err24 = { instancePath: instancePath + "/image", schemaPath: "#/properties/image/maxLength", keyword: "maxLength", params: { limit: 512 }, message: "must NOT have more than 512 characters" };
          vErrors === null ? vErrors = [err24] : vErrors.push(err24), errors++;
        }
        if (func2(data4) < 1) {
          let err25 = { instancePath: instancePath + "/image", schemaPath: "#/properties/image/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err25] : vErrors.push(err25), errors++;
        }
        if (!pattern5.test(data4)) {
          let err26 = { instancePath: instancePath + "/image", schemaPath: "#/properties/image/pattern", keyword: "pattern", params: { pattern: "^\\S+$" }, message: 'must match pattern "^\\S+$"' };
          vErrors === null ? vErrors = [err26] : vErrors.push(err26), errors++;
        }
      } else {
        let err27 = { instancePath: instancePath + "/image", schemaPath: "#/properties/image/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err27] : vErrors.push(err27), errors++;
      }
    }
    if (data.package !== void 0) {
      let data5 = data.package;
      if (typeof data5 == "string") {
        if (func2(data5) > 128) {
          let err28 = { instancePath: instancePath + "/package", schemaPath: "#/properties/package/maxLength", keyword: "maxLength", params: { limit: 128 }, message: "must NOT have more than 128 characters" };
          vErrors === null ? vErrors = [err28] : vErrors.push(err28), errors++;
        }
        if (func2(data5) < 1) {
          let err29 = { instancePath: instancePath + "/package", schemaPath: "#/properties/package/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err29] : vErrors.push(err29), errors++;
        }
        if (!pattern6.test(data5)) {
          let err30 = { instancePath: instancePath + "/package", schemaPath: "#/properties/package/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]*$" }, message: 'must match pattern "^[A-Za-z0-9][A-Za-z0-9_.-]*$"' };
          vErrors === null ? vErrors = [err30] : vErrors.push(err30), errors++;
        }
      } else {
        let err31 = { instancePath: instancePath + "/package", schemaPath: "#/properties/package/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err31] : vErrors.push(err31), errors++;
      }
    }
    if (data.memory !== void 0) {
      let data6 = data.memory;
      if (!(typeof data6 == "number" && !(data6 % 1) && !isNaN(data6) && isFinite(data6))) {
        let err32 = { instancePath: instancePath + "/memory", schemaPath: "#/properties/memory/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        vErrors === null ? vErrors = [err32] : vErrors.push(err32), errors++;
      }
      if (typeof data6 == "number" && isFinite(data6)) {
        if (data6 > 67108864 || isNaN(data6)) {
          let err33 = { instancePath: instancePath + "/memory", schemaPath: "#/properties/memory/maximum", keyword: "maximum", params: { comparison: "<=", limit: 67108864 }, message: "must be <= 67108864" };
          vErrors === null ? vErrors = [err33] : vErrors.push(err33), errors++;
        }
        if (data6 < 4 || isNaN(data6)) {
          let err34 = { instancePath: instancePath + "/memory", schemaPath: "#/properties/memory/minimum", keyword: "minimum", params: { comparison: ">=", limit: 4 }, message: "must be >= 4" };
          vErrors === null ? vErrors = [err34] : vErrors.push(err34), errors++;
        }
      }
    }
    if (data.command !== void 0) {
      let data7 = data.command;
      if (Array.isArray(data7)) {
        let len0 = data7.length;
        for (let i0 = 0; i0 < len0; i0++)
          if (typeof data7[i0] != "string") {
            let err35 = { instancePath: instancePath + "/command/" + i0, schemaPath: "#/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err35] : vErrors.push(err35), errors++;
          }
      } else {
        let err36 = { instancePath: instancePath + "/command", schemaPath: "#/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err36] : vErrors.push(err36), errors++;
      }
    }
    if (data.entrypoint !== void 0) {
      let data9 = data.entrypoint;
      if (Array.isArray(data9)) {
        let len1 = data9.length;
        for (let i1 = 0; i1 < len1; i1++)
          if (typeof data9[i1] != "string") {
            let err37 = { instancePath: instancePath + "/entrypoint/" + i1, schemaPath: "#/properties/entrypoint/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err37] : vErrors.push(err37), errors++;
          }
      } else {
        let err38 = { instancePath: instancePath + "/entrypoint", schemaPath: "#/properties/entrypoint/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err38] : vErrors.push(err38), errors++;
      }
    }
    if (data.environment !== void 0) {
      let data11 = data.environment;
      if (data11 && typeof data11 == "object" && !Array.isArray(data11)) {
        var props0 = {};
        for (let key1 in data11)
          if (pattern7.test(key1)) {
            if (typeof data11[key1] != "string") {
              let err39 = { instancePath: instancePath + "/environment/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/environment/patternProperties/%5E%5B%5E%5Cs%3D%5D%2B%24/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              vErrors === null ? vErrors = [err39] : vErrors.push(err39), errors++;
            }
            props0[key1] = !0;
          }
      } else {
        let err40 = { instancePath: instancePath + "/environment", schemaPath: "#/properties/environment/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err40] : vErrors.push(err40), errors++;
      }
    }
    if (data.user !== void 0) {
      let data13 = data.user;
      if (typeof data13 == "string") {
        if (func2(data13) < 1) {
          let err41 = { instancePath: instancePath + "/user", schemaPath: "#/properties/user/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          vErrors === null ? vErrors = [err41] : vErrors.push(err41), errors++;
        }
        if (!pattern8.test(data13)) {
          let err42 = { instancePath: instancePath + "/user", schemaPath: "#/properties/user/pattern", keyword: "pattern", params: { pattern: "^[^\\s]+$" }, message: 'must match pattern "^[^\\s]+$"' };
          vErrors === null ? vErrors = [err42] : vErrors.push(err42), errors++;
        }
      } else {
        let err43 = { instancePath: instancePath + "/user", schemaPath: "#/properties/user/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err43] : vErrors.push(err43), errors++;
      }
    }
    if (data.working_dir !== void 0) {
      let data14 = data.working_dir;
      if (typeof data14 == "string") {
        if (!pattern9.test(data14)) {
          let err44 = { instancePath: instancePath + "/working_dir", schemaPath: "#/properties/working_dir/pattern", keyword: "pattern", params: { pattern: "^/" }, message: 'must match pattern "^/"' };
          vErrors === null ? vErrors = [err44] : vErrors.push(err44), errors++;
        }
      } else {
        let err45 = { instancePath: instancePath + "/working_dir", schemaPath: "#/properties/working_dir/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err45] : vErrors.push(err45), errors++;
      }
    }
    if (data.volumes !== void 0) {
      let data15 = data.volumes;
      if (Array.isArray(data15)) {
        if (data15.length > 100) {
          let err46 = { instancePath: instancePath + "/volumes", schemaPath: "#/properties/volumes/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
          vErrors === null ? vErrors = [err46] : vErrors.push(err46), errors++;
        }
        let len2 = data15.length;
        for (let i2 = 0; i2 < len2; i2++) {
          let data16 = data15[i2];
          if (data16 && typeof data16 == "object" && !Array.isArray(data16)) {
            if (data16.path === void 0) {
              let err47 = { instancePath: instancePath + "/volumes/" + i2, schemaPath: "#/properties/volumes/items/required", keyword: "required", params: { missingProperty: "path" }, message: "must have required property 'path'" };
              vErrors === null ? vErrors = [err47] : vErrors.push(err47), errors++;
            }
            if (data16.readonly === void 0) {
              let err48 = { instancePath: instancePath + "/volumes/" + i2, schemaPath: "#/properties/volumes/items/required", keyword: "required", params: { missingProperty: "readonly" }, message: "must have required property 'readonly'" };
              vErrors === null ? vErrors = [err48] : vErrors.push(err48), errors++;
            }
            for (let key2 in data16)
              if (!(key2 === "name" || key2 === "host" || key2 === "tmpfs" || key2 === "path" || key2 === "readonly" || key2 === "scope" || key2 === "size")) {
                let err49 = { instancePath: instancePath + "/volumes/" + i2, schemaPath: "#/properties/volumes/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err49] : vErrors.push(err49), errors++;
              }
            if (data16.name !== void 0) {
              let data17 = data16.name;
              if (typeof data17 == "string") {
                if (!pattern10.test(data17)) {
                  let err50 = { instancePath: instancePath + "/volumes/" + i2 + "/name", schemaPath: "#/properties/volumes/items/properties/name/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$" }, message: 'must match pattern "^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$"' };
                  vErrors === null ? vErrors = [err50] : vErrors.push(err50), errors++;
                }
              } else {
                let err51 = { instancePath: instancePath + "/volumes/" + i2 + "/name", schemaPath: "#/properties/volumes/items/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err51] : vErrors.push(err51), errors++;
              }
            }
            if (data16.host !== void 0) {
              let data18 = data16.host;
              if (typeof data18 == "string") {
                if (func2(data18) > 1e3) {
                  let err52 = { instancePath: instancePath + "/volumes/" + i2 + "/host", schemaPath: "#/properties/volumes/items/properties/host/maxLength", keyword: "maxLength", params: { limit: 1e3 }, message: "must NOT have more than 1000 characters" };
                  vErrors === null ? vErrors = [err52] : vErrors.push(err52), errors++;
                }
                if (!pattern11.test(data18)) {
                  let err53 = { instancePath: instancePath + "/volumes/" + i2 + "/host", schemaPath: "#/properties/volumes/items/properties/host/pattern", keyword: "pattern", params: { pattern: `^(?:/|(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?)$` }, message: `must match pattern "^(?:/|(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?)$"` };
                  vErrors === null ? vErrors = [err53] : vErrors.push(err53), errors++;
                }
              } else {
                let err54 = { instancePath: instancePath + "/volumes/" + i2 + "/host", schemaPath: "#/properties/volumes/items/properties/host/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err54] : vErrors.push(err54), errors++;
              }
            }
            if (data16.tmpfs !== void 0) {
              let data19 = data16.tmpfs;
              if (typeof data19 != "boolean") {
                let err55 = { instancePath: instancePath + "/volumes/" + i2 + "/tmpfs", schemaPath: "#/properties/volumes/items/properties/tmpfs/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                vErrors === null ? vErrors = [err55] : vErrors.push(err55), errors++;
              }
              if (data19 !== !0) {
                let err56 = { instancePath: instancePath + "/volumes/" + i2 + "/tmpfs", schemaPath: "#/properties/volumes/items/properties/tmpfs/const", keyword: "const", params: { allowedValue: !0 }, message: "must be equal to constant" };
                vErrors === null ? vErrors = [err56] : vErrors.push(err56), errors++;
              }
            }
            if (data16.path !== void 0) {
              let data20 = data16.path;
              if (typeof data20 == "string") {
                if (func2(data20) > 1e3) {
                  let err57 = { instancePath: instancePath + "/volumes/" + i2 + "/path", schemaPath: "#/properties/volumes/items/properties/path/maxLength", keyword: "maxLength", params: { limit: 1e3 }, message: "must NOT have more than 1000 characters" };
                  vErrors === null ? vErrors = [err57] : vErrors.push(err57), errors++;
                }
                if (!pattern12.test(data20)) {
                  let err58 = { instancePath: instancePath + "/volumes/" + i2 + "/path", schemaPath: "#/properties/volumes/items/properties/path/pattern", keyword: "pattern", params: { pattern: `^(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?$` }, message: `must match pattern "^(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?$"` };
                  vErrors === null ? vErrors = [err58] : vErrors.push(err58), errors++;
                }
              } else {
                let err59 = { instancePath: instancePath + "/volumes/" + i2 + "/path", schemaPath: "#/properties/volumes/items/properties/path/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err59] : vErrors.push(err59), errors++;
              }
            }
            if (data16.readonly !== void 0 && typeof data16.readonly != "boolean") {
              let err60 = { instancePath: instancePath + "/volumes/" + i2 + "/readonly", schemaPath: "#/properties/volumes/items/properties/readonly/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
              vErrors === null ? vErrors = [err60] : vErrors.push(err60), errors++;
            }
            if (data16.scope !== void 0) {
              let data22 = data16.scope;
              if (typeof data22 != "string") {
                let err61 = { instancePath: instancePath + "/volumes/" + i2 + "/scope", schemaPath: "#/properties/volumes/items/properties/scope/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err61] : vErrors.push(err61), errors++;
              }
              if (!(data22 === "instance" || data22 === "service")) {
                let err62 = { instancePath: instancePath + "/volumes/" + i2 + "/scope", schemaPath: "#/properties/volumes/items/properties/scope/enum", keyword: "enum", params: { allowedValues: schema31.properties.volumes.items.properties.scope.enum }, message: "must be equal to one of the allowed values" };
                vErrors === null ? vErrors = [err62] : vErrors.push(err62), errors++;
              }
            }
            if (data16.size !== void 0) {
              let data23 = data16.size;
              if (!(typeof data23 == "number" && !(data23 % 1) && !isNaN(data23) && isFinite(data23))) {
                let err63 = { instancePath: instancePath + "/volumes/" + i2 + "/size", schemaPath: "#/properties/volumes/items/properties/size/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err63] : vErrors.push(err63), errors++;
              }
              if (typeof data23 == "number" && isFinite(data23)) {
                if (data23 > 1048576 || isNaN(data23)) {
                  let err64 = { instancePath: instancePath + "/volumes/" + i2 + "/size", schemaPath: "#/properties/volumes/items/properties/size/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1048576 }, message: "must be <= 1048576" };
                  vErrors === null ? vErrors = [err64] : vErrors.push(err64), errors++;
                }
                if (data23 < 1 || isNaN(data23)) {
                  let err65 = { instancePath: instancePath + "/volumes/" + i2 + "/size", schemaPath: "#/properties/volumes/items/properties/size/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                  vErrors === null ? vErrors = [err65] : vErrors.push(err65), errors++;
                }
              }
            }
          } else {
            let err66 = { instancePath: instancePath + "/volumes/" + i2, schemaPath: "#/properties/volumes/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err66] : vErrors.push(err66), errors++;
          }
        }
      } else {
        let err67 = { instancePath: instancePath + "/volumes", schemaPath: "#/properties/volumes/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err67] : vErrors.push(err67), errors++;
      }
    }
    if (data.ports !== void 0) {
      let data24 = data.ports;
      if (Array.isArray(data24)) {
        if (data24.length > 1e3) {
          let err68 = { instancePath: instancePath + "/ports", schemaPath: "#/properties/ports/maxItems", keyword: "maxItems", params: { limit: 1e3 }, message: "must NOT have more than 1000 items" };
          vErrors === null ? vErrors = [err68] : vErrors.push(err68), errors++;
        }
        let len3 = data24.length;
        for (let i3 = 0; i3 < len3; i3++) {
          let data25 = data24[i3];
          if (data25 && typeof data25 == "object" && !Array.isArray(data25)) {
            if (data25.container === void 0) {
              let err69 = { instancePath: instancePath + "/ports/" + i3, schemaPath: "#/properties/ports/items/required", keyword: "required", params: { missingProperty: "container" }, message: "must have required property 'container'" };
              vErrors === null ? vErrors = [err69] : vErrors.push(err69), errors++;
            }
            if (data25.protocol === void 0) {
              let err70 = { instancePath: instancePath + "/ports/" + i3, schemaPath: "#/properties/ports/items/required", keyword: "required", params: { missingProperty: "protocol" }, message: "must have required property 'protocol'" };
              vErrors === null ? vErrors = [err70] : vErrors.push(err70), errors++;
            }
            for (let key3 in data25)
              if (!(key3 === "ip" || key3 === "host" || key3 === "container" || key3 === "protocol")) {
                let err71 = { instancePath: instancePath + "/ports/" + i3, schemaPath: "#/properties/ports/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key3 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err71] : vErrors.push(err71), errors++;
              }
            if (data25.ip !== void 0 && typeof data25.ip != "string") {
              let err72 = { instancePath: instancePath + "/ports/" + i3 + "/ip", schemaPath: "#/properties/ports/items/properties/ip/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              vErrors === null ? vErrors = [err72] : vErrors.push(err72), errors++;
            }
            if (data25.host !== void 0) {
              let data27 = data25.host;
              if (!(typeof data27 == "number" && !(data27 % 1) && !isNaN(data27) && isFinite(data27))) {
                let err73 = { instancePath: instancePath + "/ports/" + i3 + "/host", schemaPath: "#/properties/ports/items/properties/host/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err73] : vErrors.push(err73), errors++;
              }
              if (typeof data27 == "number" && isFinite(data27)) {
                if (data27 > 65535 || isNaN(data27)) {
                  let err74 = { instancePath: instancePath + "/ports/" + i3 + "/host", schemaPath: "#/properties/ports/items/properties/host/maximum", keyword: "maximum", params: { comparison: "<=", limit: 65535 }, message: "must be <= 65535" };
                  vErrors === null ? vErrors = [err74] : vErrors.push(err74), errors++;
                }
                if (data27 < 0 || isNaN(data27)) {
                  let err75 = { instancePath: instancePath + "/ports/" + i3 + "/host", schemaPath: "#/properties/ports/items/properties/host/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                  vErrors === null ? vErrors = [err75] : vErrors.push(err75), errors++;
                }
              }
            }
            if (data25.container !== void 0) {
              let data28 = data25.container;
              if (!(typeof data28 == "number" && !(data28 % 1) && !isNaN(data28) && isFinite(data28))) {
                let err76 = { instancePath: instancePath + "/ports/" + i3 + "/container", schemaPath: "#/properties/ports/items/properties/container/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                vErrors === null ? vErrors = [err76] : vErrors.push(err76), errors++;
              }
              if (typeof data28 == "number" && isFinite(data28)) {
                if (data28 > 65535 || isNaN(data28)) {
                  let err77 = { instancePath: instancePath + "/ports/" + i3 + "/container", schemaPath: "#/properties/ports/items/properties/container/maximum", keyword: "maximum", params: { comparison: "<=", limit: 65535 }, message: "must be <= 65535" };
                  vErrors === null ? vErrors = [err77] : vErrors.push(err77), errors++;
                }
                if (data28 < 1 || isNaN(data28)) {
                  let err78 = { instancePath: instancePath + "/ports/" + i3 + "/container", schemaPath: "#/properties/ports/items/properties/container/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                  vErrors === null ? vErrors = [err78] : vErrors.push(err78), errors++;
                }
              }
            }
            if (data25.protocol !== void 0) {
              let data29 = data25.protocol;
              if (typeof data29 != "string") {
                let err79 = { instancePath: instancePath + "/ports/" + i3 + "/protocol", schemaPath: "#/properties/ports/items/properties/protocol/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err79] : vErrors.push(err79), errors++;
              }
              if (!(data29 === "tcp" || data29 === "udp")) {
                let err80 = { instancePath: instancePath + "/ports/" + i3 + "/protocol", schemaPath: "#/properties/ports/items/properties/protocol/enum", keyword: "enum", params: { allowedValues: schema31.properties.ports.items.properties.protocol.enum }, message: "must be equal to one of the allowed values" };
                vErrors === null ? vErrors = [err80] : vErrors.push(err80), errors++;
              }
            }
          } else {
            let err81 = { instancePath: instancePath + "/ports/" + i3, schemaPath: "#/properties/ports/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err81] : vErrors.push(err81), errors++;
          }
        }
      } else {
        let err82 = { instancePath: instancePath + "/ports", schemaPath: "#/properties/ports/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err82] : vErrors.push(err82), errors++;
      }
    }
    if (data.dns !== void 0) {
      let data30 = data.dns;
      if (Array.isArray(data30)) {
        if (data30.length > 10) {
          let err83 = { instancePath: instancePath + "/dns", schemaPath: "#/properties/dns/maxItems", keyword: "maxItems", params: { limit: 10 }, message: "must NOT have more than 10 items" };
          vErrors === null ? vErrors = [err83] : vErrors.push(err83), errors++;
        }
        let len4 = data30.length;
        for (let i4 = 0; i4 < len4; i4++) {
          let data31 = data30[i4];
          if (typeof data31 == "string") {
            if (func2(data31) < 2) {
              let err84 = { instancePath: instancePath + "/dns/" + i4, schemaPath: "#/properties/dns/items/minLength", keyword: "minLength", params: { limit: 2 }, message: "must NOT have fewer than 2 characters" };
              vErrors === null ? vErrors = [err84] : vErrors.push(err84), errors++;
            }
          } else {
            let err85 = { instancePath: instancePath + "/dns/" + i4, schemaPath: "#/properties/dns/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err85] : vErrors.push(err85), errors++;
          }
        }
      } else {
        let err86 = { instancePath: instancePath + "/dns", schemaPath: "#/properties/dns/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err86] : vErrors.push(err86), errors++;
      }
    }
    if (data["dns-search"] !== void 0) {
      let data32 = data["dns-search"];
      if (Array.isArray(data32)) {
        if (data32.length > 32) {
          let err87 = { instancePath: instancePath + "/dns-search", schemaPath: "#/properties/dns-search/maxItems", keyword: "maxItems", params: { limit: 32 }, message: "must NOT have more than 32 items" };
          vErrors === null ? vErrors = [err87] : vErrors.push(err87), errors++;
        }
        let len5 = data32.length;
        for (let i5 = 0; i5 < len5; i5++) {
          let data33 = data32[i5];
          if (typeof data33 == "string") {
            if (!pattern13.test(data33)) {
              let err88 = { instancePath: instancePath + "/dns-search/" + i5, schemaPath: "#/properties/dns-search/items/pattern", keyword: "pattern", params: { pattern: "^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?(\\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?)*\\.?$" }, message: 'must match pattern "^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?(\\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?)*\\.?$"' };
              vErrors === null ? vErrors = [err88] : vErrors.push(err88), errors++;
            }
          } else {
            let err89 = { instancePath: instancePath + "/dns-search/" + i5, schemaPath: "#/properties/dns-search/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err89] : vErrors.push(err89), errors++;
          }
        }
      } else {
        let err90 = { instancePath: instancePath + "/dns-search", schemaPath: "#/properties/dns-search/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err90] : vErrors.push(err90), errors++;
      }
    }
    if (data.cns !== void 0) {
      let data34 = data.cns;
      if (data34 && typeof data34 == "object" && !Array.isArray(data34)) {
        for (let key4 in data34)
          if (!(key4 === "services" || key4 === "ttl" || key4 === "disable")) {
            let err91 = { instancePath: instancePath + "/cns", schemaPath: "#/properties/cns/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key4 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err91] : vErrors.push(err91), errors++;
          }
        if (data34.services !== void 0) {
          let data35 = data34.services;
          if (Array.isArray(data35)) {
            if (data35.length > 100) {
              let err92 = { instancePath: instancePath + "/cns/services", schemaPath: "#/properties/cns/properties/services/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
              vErrors === null ? vErrors = [err92] : vErrors.push(err92), errors++;
            }
            let len6 = data35.length;
            for (let i6 = 0; i6 < len6; i6++) {
              let data36 = data35[i6];
              if (typeof data36 == "string") {
                if (func2(data36) < 1) {
                  let err93 = { instancePath: instancePath + "/cns/services/" + i6, schemaPath: "#/properties/cns/properties/services/items/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                  vErrors === null ? vErrors = [err93] : vErrors.push(err93), errors++;
                }
              } else {
                let err94 = { instancePath: instancePath + "/cns/services/" + i6, schemaPath: "#/properties/cns/properties/services/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err94] : vErrors.push(err94), errors++;
              }
            }
          } else {
            let err95 = { instancePath: instancePath + "/cns/services", schemaPath: "#/properties/cns/properties/services/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            vErrors === null ? vErrors = [err95] : vErrors.push(err95), errors++;
          }
        }
        if (data34.ttl !== void 0) {
          let data37 = data34.ttl;
          if (!(typeof data37 == "number" && !(data37 % 1) && !isNaN(data37) && isFinite(data37))) {
            let err96 = { instancePath: instancePath + "/cns/ttl", schemaPath: "#/properties/cns/properties/ttl/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err96] : vErrors.push(err96), errors++;
          }
          if (typeof data37 == "number" && isFinite(data37)) {
            if (data37 > 3600 || isNaN(data37)) {
              let err97 = { instancePath: instancePath + "/cns/ttl", schemaPath: "#/properties/cns/properties/ttl/maximum", keyword: "maximum", params: { comparison: "<=", limit: 3600 }, message: "must be <= 3600" };
              vErrors === null ? vErrors = [err97] : vErrors.push(err97), errors++;
            }
            if (data37 < 0 || isNaN(data37)) {
              let err98 = { instancePath: instancePath + "/cns/ttl", schemaPath: "#/properties/cns/properties/ttl/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
              vErrors === null ? vErrors = [err98] : vErrors.push(err98), errors++;
            }
          }
        }
        if (data34.disable !== void 0 && typeof data34.disable != "boolean") {
          let err99 = { instancePath: instancePath + "/cns/disable", schemaPath: "#/properties/cns/properties/disable/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
          vErrors === null ? vErrors = [err99] : vErrors.push(err99), errors++;
        }
      } else {
        let err100 = { instancePath: instancePath + "/cns", schemaPath: "#/properties/cns/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err100] : vErrors.push(err100), errors++;
      }
    }
    if (data.labels !== void 0) {
      let data39 = data.labels;
      if (data39 && typeof data39 == "object" && !Array.isArray(data39)) {
        var props1 = {};
        for (let key5 in data39)
          if (pattern7.test(key5)) {
            if (typeof data39[key5] != "string") {
              let err101 = { instancePath: instancePath + "/labels/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/labels/patternProperties/%5E%5B%5E%5Cs%3D%5D%2B%24/type", keyword: "type", params: { type: "string" }, message: "must be string" };
              vErrors === null ? vErrors = [err101] : vErrors.push(err101), errors++;
            }
            props1[key5] = !0;
          }
      } else {
        let err102 = { instancePath: instancePath + "/labels", schemaPath: "#/properties/labels/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err102] : vErrors.push(err102), errors++;
      }
    }
    if (data.affinity !== void 0) {
      let data41 = data.affinity;
      if (Array.isArray(data41)) {
        if (data41.length > 100) {
          let err103 = { instancePath: instancePath + "/affinity", schemaPath: "#/properties/affinity/maxItems", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
          vErrors === null ? vErrors = [err103] : vErrors.push(err103), errors++;
        }
        let len7 = data41.length;
        for (let i7 = 0; i7 < len7; i7++) {
          let data42 = data41[i7];
          if (data42 && typeof data42 == "object" && !Array.isArray(data42)) {
            if (data42.key === void 0) {
              let err104 = { instancePath: instancePath + "/affinity/" + i7, schemaPath: "#/properties/affinity/items/required", keyword: "required", params: { missingProperty: "key" }, message: "must have required property 'key'" };
              vErrors === null ? vErrors = [err104] : vErrors.push(err104), errors++;
            }
            if (data42.operator === void 0) {
              let err105 = { instancePath: instancePath + "/affinity/" + i7, schemaPath: "#/properties/affinity/items/required", keyword: "required", params: { missingProperty: "operator" }, message: "must have required property 'operator'" };
              vErrors === null ? vErrors = [err105] : vErrors.push(err105), errors++;
            }
            if (data42.value === void 0) {
              let err106 = { instancePath: instancePath + "/affinity/" + i7, schemaPath: "#/properties/affinity/items/required", keyword: "required", params: { missingProperty: "value" }, message: "must have required property 'value'" };
              vErrors === null ? vErrors = [err106] : vErrors.push(err106), errors++;
            }
            for (let key6 in data42)
              if (!(key6 === "key" || key6 === "operator" || key6 === "value" || key6 === "by")) {
                let err107 = { instancePath: instancePath + "/affinity/" + i7, schemaPath: "#/properties/affinity/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key6 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err107] : vErrors.push(err107), errors++;
              }
            if (data42.key !== void 0) {
              let data43 = data42.key;
              if (typeof data43 == "string") {
                if (!pattern15.test(data43)) {
                  let err108 = { instancePath: instancePath + "/affinity/" + i7 + "/key", schemaPath: "#/properties/affinity/items/properties/key/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z_][A-Za-z0-9_.-]+$" }, message: 'must match pattern "^[A-Za-z_][A-Za-z0-9_.-]+$"' };
                  vErrors === null ? vErrors = [err108] : vErrors.push(err108), errors++;
                }
              } else {
                let err109 = { instancePath: instancePath + "/affinity/" + i7 + "/key", schemaPath: "#/properties/affinity/items/properties/key/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err109] : vErrors.push(err109), errors++;
              }
            }
            if (data42.operator !== void 0) {
              let data44 = data42.operator;
              if (typeof data44 != "string") {
                let err110 = { instancePath: instancePath + "/affinity/" + i7 + "/operator", schemaPath: "#/properties/affinity/items/properties/operator/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err110] : vErrors.push(err110), errors++;
              }
              if (!(data44 === "==" || data44 === "!=" || data44 === "==~" || data44 === "!=~")) {
                let err111 = { instancePath: instancePath + "/affinity/" + i7 + "/operator", schemaPath: "#/properties/affinity/items/properties/operator/enum", keyword: "enum", params: { allowedValues: schema31.properties.affinity.items.properties.operator.enum }, message: "must be equal to one of the allowed values" };
                vErrors === null ? vErrors = [err111] : vErrors.push(err111), errors++;
              }
            }
            if (data42.value !== void 0) {
              let data45 = data42.value;
              if (typeof data45 == "string") {
                if (func2(data45) > 256) {
                  let err112 = { instancePath: instancePath + "/affinity/" + i7 + "/value", schemaPath: "#/properties/affinity/items/properties/value/maxLength", keyword: "maxLength", params: { limit: 256 }, message: "must NOT have more than 256 characters" };
                  vErrors === null ? vErrors = [err112] : vErrors.push(err112), errors++;
                }
                if (!pattern16.test(data45)) {
                  let err113 = { instancePath: instancePath + "/affinity/" + i7 + "/value", schemaPath: "#/properties/affinity/items/properties/value/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9:_\\s.*/()?+[\\]\\\\^$|-]+$" }, message: 'must match pattern "^[A-Za-z0-9:_\\s.*/()?+[\\]\\\\^$|-]+$"' };
                  vErrors === null ? vErrors = [err113] : vErrors.push(err113), errors++;
                }
              } else {
                let err114 = { instancePath: instancePath + "/affinity/" + i7 + "/value", schemaPath: "#/properties/affinity/items/properties/value/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err114] : vErrors.push(err114), errors++;
              }
            }
            if (data42.by !== void 0) {
              let data46 = data42.by;
              if (typeof data46 == "string") {
                if (!pattern17.test(data46)) {
                  let err115 = { instancePath: instancePath + "/affinity/" + i7 + "/by", schemaPath: "#/properties/affinity/items/properties/by/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9_.-]{1,128}$" }, message: 'must match pattern "^[A-Za-z0-9_.-]{1,128}$"' };
                  vErrors === null ? vErrors = [err115] : vErrors.push(err115), errors++;
                }
              } else {
                let err116 = { instancePath: instancePath + "/affinity/" + i7 + "/by", schemaPath: "#/properties/affinity/items/properties/by/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err116] : vErrors.push(err116), errors++;
              }
            }
          } else {
            let err117 = { instancePath: instancePath + "/affinity/" + i7, schemaPath: "#/properties/affinity/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err117] : vErrors.push(err117), errors++;
          }
        }
      } else {
        let err118 = { instancePath: instancePath + "/affinity", schemaPath: "#/properties/affinity/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err118] : vErrors.push(err118), errors++;
      }
    }
    if (data.spread !== void 0) {
      let data47 = data.spread;
      if (typeof data47 == "string") {
        if (!pattern17.test(data47)) {
          let err119 = { instancePath: instancePath + "/spread", schemaPath: "#/properties/spread/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9_.-]{1,128}$" }, message: 'must match pattern "^[A-Za-z0-9_.-]{1,128}$"' };
          vErrors === null ? vErrors = [err119] : vErrors.push(err119), errors++;
        }
      } else {
        let err120 = { instancePath: instancePath + "/spread", schemaPath: "#/properties/spread/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        vErrors === null ? vErrors = [err120] : vErrors.push(err120), errors++;
      }
    }
    if (data.restart !== void 0) {
      let data48 = data.restart;
      if (data48 && typeof data48 == "object" && !Array.isArray(data48)) {
        if (data48.policy === void 0) {
          let err121 = { instancePath: instancePath + "/restart", schemaPath: "#/properties/restart/required", keyword: "required", params: { missingProperty: "policy" }, message: "must have required property 'policy'" };
          vErrors === null ? vErrors = [err121] : vErrors.push(err121), errors++;
        }
        for (let key7 in data48)
          if (!(key7 === "policy" || key7 === "max")) {
            let err122 = { instancePath: instancePath + "/restart", schemaPath: "#/properties/restart/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key7 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err122] : vErrors.push(err122), errors++;
          }
        if (data48.policy !== void 0) {
          let data49 = data48.policy;
          if (typeof data49 != "string") {
            let err123 = { instancePath: instancePath + "/restart/policy", schemaPath: "#/properties/restart/properties/policy/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err123] : vErrors.push(err123), errors++;
          }
          if (!(data49 === "no" || data49 === "on-failure" || data49 === "always" || data49 === "unless-stopped")) {
            let err124 = { instancePath: instancePath + "/restart/policy", schemaPath: "#/properties/restart/properties/policy/enum", keyword: "enum", params: { allowedValues: schema31.properties.restart.properties.policy.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err124] : vErrors.push(err124), errors++;
          }
        }
        if (data48.max !== void 0) {
          let data50 = data48.max;
          if (!(typeof data50 == "number" && !(data50 % 1) && !isNaN(data50) && isFinite(data50))) {
            let err125 = { instancePath: instancePath + "/restart/max", schemaPath: "#/properties/restart/properties/max/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err125] : vErrors.push(err125), errors++;
          }
          if (typeof data50 == "number" && isFinite(data50)) {
            if (data50 > 1e6 || isNaN(data50)) {
              let err126 = { instancePath: instancePath + "/restart/max", schemaPath: "#/properties/restart/properties/max/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e6 }, message: "must be <= 1000000" };
              vErrors === null ? vErrors = [err126] : vErrors.push(err126), errors++;
            }
            if (data50 < 1 || isNaN(data50)) {
              let err127 = { instancePath: instancePath + "/restart/max", schemaPath: "#/properties/restart/properties/max/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              vErrors === null ? vErrors = [err127] : vErrors.push(err127), errors++;
            }
          }
        }
      } else {
        let err128 = { instancePath: instancePath + "/restart", schemaPath: "#/properties/restart/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err128] : vErrors.push(err128), errors++;
      }
    }
    if (data.stop !== void 0) {
      let data51 = data.stop;
      if (data51 && typeof data51 == "object" && !Array.isArray(data51)) {
        if (data51.timeout === void 0) {
          let err129 = { instancePath: instancePath + "/stop", schemaPath: "#/properties/stop/required", keyword: "required", params: { missingProperty: "timeout" }, message: "must have required property 'timeout'" };
          vErrors === null ? vErrors = [err129] : vErrors.push(err129), errors++;
        }
        if (data51.preservestopped === void 0) {
          let err130 = { instancePath: instancePath + "/stop", schemaPath: "#/properties/stop/required", keyword: "required", params: { missingProperty: "preservestopped" }, message: "must have required property 'preservestopped'" };
          vErrors === null ? vErrors = [err130] : vErrors.push(err130), errors++;
        }
        for (let key8 in data51)
          if (!(key8 === "timeout" || key8 === "preservestopped")) {
            let err131 = { instancePath: instancePath + "/stop", schemaPath: "#/properties/stop/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key8 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err131] : vErrors.push(err131), errors++;
          }
        if (data51.timeout !== void 0) {
          let data52 = data51.timeout;
          if (!(typeof data52 == "number" && !(data52 % 1) && !isNaN(data52) && isFinite(data52))) {
            let err132 = { instancePath: instancePath + "/stop/timeout", schemaPath: "#/properties/stop/properties/timeout/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err132] : vErrors.push(err132), errors++;
          }
          if (typeof data52 == "number" && isFinite(data52)) {
            if (data52 > 1e9 || isNaN(data52)) {
              let err133 = { instancePath: instancePath + "/stop/timeout", schemaPath: "#/properties/stop/properties/timeout/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e9 }, message: "must be <= 1000000000" };
              vErrors === null ? vErrors = [err133] : vErrors.push(err133), errors++;
            }
            if (data52 < -1e9 || isNaN(data52)) {
              let err134 = { instancePath: instancePath + "/stop/timeout", schemaPath: "#/properties/stop/properties/timeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1e9 }, message: "must be >= -1000000000" };
              vErrors === null ? vErrors = [err134] : vErrors.push(err134), errors++;
            }
          }
        }
        if (data51.preservestopped !== void 0) {
          let data53 = data51.preservestopped;
          if (typeof data53 != "string") {
            let err135 = { instancePath: instancePath + "/stop/preservestopped", schemaPath: "#/properties/stop/properties/preservestopped/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err135] : vErrors.push(err135), errors++;
          }
          if (!(data53 === "on-failure" || data53 === "no" || data53 === "always")) {
            let err136 = { instancePath: instancePath + "/stop/preservestopped", schemaPath: "#/properties/stop/properties/preservestopped/enum", keyword: "enum", params: { allowedValues: schema31.properties.stop.properties.preservestopped.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err136] : vErrors.push(err136), errors++;
          }
        }
      } else {
        let err137 = { instancePath: instancePath + "/stop", schemaPath: "#/properties/stop/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err137] : vErrors.push(err137), errors++;
      }
    }
    if (data.healthchecks !== void 0) {
      let data54 = data.healthchecks;
      if (Array.isArray(data54)) {
        if (data54.length > 20) {
          let err138 = { instancePath: instancePath + "/healthchecks", schemaPath: "#/properties/healthchecks/maxItems", keyword: "maxItems", params: { limit: 20 }, message: "must NOT have more than 20 items" };
          vErrors === null ? vErrors = [err138] : vErrors.push(err138), errors++;
        }
        let len8 = data54.length;
        for (let i8 = 0; i8 < len8; i8++) {
          let data55 = data54[i8];
          if (data55 && typeof data55 == "object" && !Array.isArray(data55)) {
            if (data55.type === void 0) {
              let err139 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'" };
              vErrors === null ? vErrors = [err139] : vErrors.push(err139), errors++;
            }
            let tag0 = data55.type;
            if (typeof tag0 == "string")
              if (tag0 === "http") {
                if (data55 && typeof data55 == "object" && !Array.isArray(data55)) {
                  if (data55.type === void 0) {
                    let err140 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'" };
                    vErrors === null ? vErrors = [err140] : vErrors.push(err140), errors++;
                  }
                  if (data55.network === void 0) {
                    let err141 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "network" }, message: "must have required property 'network'" };
                    vErrors === null ? vErrors = [err141] : vErrors.push(err141), errors++;
                  }
                  if (data55.port === void 0) {
                    let err142 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "port" }, message: "must have required property 'port'" };
                    vErrors === null ? vErrors = [err142] : vErrors.push(err142), errors++;
                  }
                  if (data55.path === void 0) {
                    let err143 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "path" }, message: "must have required property 'path'" };
                    vErrors === null ? vErrors = [err143] : vErrors.push(err143), errors++;
                  }
                  if (data55.poll === void 0) {
                    let err144 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "poll" }, message: "must have required property 'poll'" };
                    vErrors === null ? vErrors = [err144] : vErrors.push(err144), errors++;
                  }
                  if (data55.timeout === void 0) {
                    let err145 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "timeout" }, message: "must have required property 'timeout'" };
                    vErrors === null ? vErrors = [err145] : vErrors.push(err145), errors++;
                  }
                  if (data55.retries === void 0) {
                    let err146 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "retries" }, message: "must have required property 'retries'" };
                    vErrors === null ? vErrors = [err146] : vErrors.push(err146), errors++;
                  }
                  for (let key9 in data55)
                    if (!func1.call(schema31.properties.healthchecks.items.oneOf[0].properties, key9)) {
                      let err147 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key9 }, message: "must NOT have additional properties" };
                      vErrors === null ? vErrors = [err147] : vErrors.push(err147), errors++;
                    }
                  if (data55.type !== void 0) {
                    let data56 = data55.type;
                    if (typeof data56 != "string") {
                      let err148 = { instancePath: instancePath + "/healthchecks/" + i8 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/type/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err148] : vErrors.push(err148), errors++;
                    }
                    if (!(data56 === "http" || data56 === "https")) {
                      let err149 = { instancePath: instancePath + "/healthchecks/" + i8 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/type/enum", keyword: "enum", params: { allowedValues: schema31.properties.healthchecks.items.oneOf[0].properties.type.enum }, message: "must be equal to one of the allowed values" };
                      vErrors === null ? vErrors = [err149] : vErrors.push(err149), errors++;
                    }
                  }
                  if (data55.network !== void 0) {
                    let data57 = data55.network;
                    if (typeof data57 == "string") {
                      if (func2(data57) > 64) {
                        let err150 = { instancePath: instancePath + "/healthchecks/" + i8 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
                        vErrors === null ? vErrors = [err150] : vErrors.push(err150), errors++;
                      }
                      if (func2(data57) < 1) {
                        let err151 = { instancePath: instancePath + "/healthchecks/" + i8 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                        vErrors === null ? vErrors = [err151] : vErrors.push(err151), errors++;
                      }
                      if (!pattern19.test(data57)) {
                        let err152 = { instancePath: instancePath + "/healthchecks/" + i8 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$"' };
                        vErrors === null ? vErrors = [err152] : vErrors.push(err152), errors++;
                      }
                    } else {
                      let err153 = { instancePath: instancePath + "/healthchecks/" + i8 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err153] : vErrors.push(err153), errors++;
                    }
                  }
                  if (data55.port !== void 0) {
                    let data58 = data55.port;
                    if (!(typeof data58 == "number" && !(data58 % 1) && !isNaN(data58) && isFinite(data58))) {
                      let err154 = { instancePath: instancePath + "/healthchecks/" + i8 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/port/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err154] : vErrors.push(err154), errors++;
                    }
                    if (typeof data58 == "number" && isFinite(data58)) {
                      if (data58 > 65535 || isNaN(data58)) {
                        let err155 = { instancePath: instancePath + "/healthchecks/" + i8 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/port/maximum", keyword: "maximum", params: { comparison: "<=", limit: 65535 }, message: "must be <= 65535" };
                        vErrors === null ? vErrors = [err155] : vErrors.push(err155), errors++;
                      }
                      if (data58 < 1 || isNaN(data58)) {
                        let err156 = { instancePath: instancePath + "/healthchecks/" + i8 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/port/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                        vErrors === null ? vErrors = [err156] : vErrors.push(err156), errors++;
                      }
                    }
                  }
                  if (data55.path !== void 0) {
                    let data59 = data55.path;
                    if (typeof data59 == "string") {
                      if (!pattern9.test(data59)) {
                        let err157 = { instancePath: instancePath + "/healthchecks/" + i8 + "/path", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/path/pattern", keyword: "pattern", params: { pattern: "^/" }, message: 'must match pattern "^/"' };
                        vErrors === null ? vErrors = [err157] : vErrors.push(err157), errors++;
                      }
                    } else {
                      let err158 = { instancePath: instancePath + "/healthchecks/" + i8 + "/path", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/path/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err158] : vErrors.push(err158), errors++;
                    }
                  }
                  if (data55.poll !== void 0) {
                    let data60 = data55.poll;
                    if (typeof data60 == "number" && isFinite(data60)) {
                      if (data60 > 86400 || isNaN(data60)) {
                        let err159 = { instancePath: instancePath + "/healthchecks/" + i8 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/poll/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err159] : vErrors.push(err159), errors++;
                      }
                      if (data60 < 0.1 || isNaN(data60)) {
                        let err160 = { instancePath: instancePath + "/healthchecks/" + i8 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/poll/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err160] : vErrors.push(err160), errors++;
                      }
                    } else {
                      let err161 = { instancePath: instancePath + "/healthchecks/" + i8 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/poll/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err161] : vErrors.push(err161), errors++;
                    }
                  }
                  if (data55.timeout !== void 0) {
                    let data61 = data55.timeout;
                    if (typeof data61 == "number" && isFinite(data61)) {
                      if (data61 > 3600 || isNaN(data61)) {
                        let err162 = { instancePath: instancePath + "/healthchecks/" + i8 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/timeout/maximum", keyword: "maximum", params: { comparison: "<=", limit: 3600 }, message: "must be <= 3600" };
                        vErrors === null ? vErrors = [err162] : vErrors.push(err162), errors++;
                      }
                      if (data61 < 0.01 || isNaN(data61)) {
                        let err163 = { instancePath: instancePath + "/healthchecks/" + i8 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/timeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.01 }, message: "must be >= 0.01" };
                        vErrors === null ? vErrors = [err163] : vErrors.push(err163), errors++;
                      }
                    } else {
                      let err164 = { instancePath: instancePath + "/healthchecks/" + i8 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/timeout/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err164] : vErrors.push(err164), errors++;
                    }
                  }
                  if (data55.retries !== void 0) {
                    let data62 = data55.retries;
                    if (!(typeof data62 == "number" && !(data62 % 1) && !isNaN(data62) && isFinite(data62))) {
                      let err165 = { instancePath: instancePath + "/healthchecks/" + i8 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/retries/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err165] : vErrors.push(err165), errors++;
                    }
                    if (typeof data62 == "number" && isFinite(data62)) {
                      if (data62 > 1e3 || isNaN(data62)) {
                        let err166 = { instancePath: instancePath + "/healthchecks/" + i8 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/retries/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" };
                        vErrors === null ? vErrors = [err166] : vErrors.push(err166), errors++;
                      }
                      if (data62 < 1 || isNaN(data62)) {
                        let err167 = { instancePath: instancePath + "/healthchecks/" + i8 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/retries/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                        vErrors === null ? vErrors = [err167] : vErrors.push(err167), errors++;
                      }
                    }
                  }
                  if (data55.start_period !== void 0) {
                    let data63 = data55.start_period;
                    if (typeof data63 == "number" && isFinite(data63)) {
                      if (data63 > 86400 || isNaN(data63)) {
                        let err168 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_period/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err168] : vErrors.push(err168), errors++;
                      }
                      if (data63 < 0 || isNaN(data63)) {
                        let err169 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_period/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                        vErrors === null ? vErrors = [err169] : vErrors.push(err169), errors++;
                      }
                    } else {
                      let err170 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_period/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err170] : vErrors.push(err170), errors++;
                    }
                  }
                  if (data55.start_interval !== void 0) {
                    let data64 = data55.start_interval;
                    if (typeof data64 == "number" && isFinite(data64)) {
                      if (data64 > 86400 || isNaN(data64)) {
                        let err171 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_interval/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err171] : vErrors.push(err171), errors++;
                      }
                      if (data64 < 0.1 || isNaN(data64)) {
                        let err172 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_interval/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err172] : vErrors.push(err172), errors++;
                      }
                    } else {
                      let err173 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_interval/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err173] : vErrors.push(err173), errors++;
                    }
                  }
                  if (data55.redirects !== void 0) {
                    let data65 = data55.redirects;
                    if (!(typeof data65 == "number" && !(data65 % 1) && !isNaN(data65) && isFinite(data65))) {
                      let err174 = { instancePath: instancePath + "/healthchecks/" + i8 + "/redirects", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/redirects/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err174] : vErrors.push(err174), errors++;
                    }
                    if (typeof data65 == "number" && isFinite(data65)) {
                      if (data65 > 10 || isNaN(data65)) {
                        let err175 = { instancePath: instancePath + "/healthchecks/" + i8 + "/redirects", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/redirects/maximum", keyword: "maximum", params: { comparison: "<=", limit: 10 }, message: "must be <= 10" };
                        vErrors === null ? vErrors = [err175] : vErrors.push(err175), errors++;
                      }
                      if (data65 < 0 || isNaN(data65)) {
                        let err176 = { instancePath: instancePath + "/healthchecks/" + i8 + "/redirects", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/redirects/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                        vErrors === null ? vErrors = [err176] : vErrors.push(err176), errors++;
                      }
                    }
                  }
                  if (data55.host !== void 0) {
                    let data66 = data55.host;
                    if (typeof data66 == "string") {
                      if (!pattern21.test(data66)) {
                        let err177 = { instancePath: instancePath + "/healthchecks/" + i8 + "/host", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/host/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$"' };
                        vErrors === null ? vErrors = [err177] : vErrors.push(err177), errors++;
                      }
                    } else {
                      let err178 = { instancePath: instancePath + "/healthchecks/" + i8 + "/host", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/host/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err178] : vErrors.push(err178), errors++;
                    }
                  }
                  if (data55.verify !== void 0 && typeof data55.verify != "boolean") {
                    let err179 = { instancePath: instancePath + "/healthchecks/" + i8 + "/verify", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/verify/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                    vErrors === null ? vErrors = [err179] : vErrors.push(err179), errors++;
                  }
                } else {
                  let err180 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                  vErrors === null ? vErrors = [err180] : vErrors.push(err180), errors++;
                }
                var props2 = !0;
              } else if (tag0 === "https") {
                if (data55 && typeof data55 == "object" && !Array.isArray(data55)) {
                  if (data55.type === void 0) {
                    let err181 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'" };
                    vErrors === null ? vErrors = [err181] : vErrors.push(err181), errors++;
                  }
                  if (data55.network === void 0) {
                    let err182 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "network" }, message: "must have required property 'network'" };
                    vErrors === null ? vErrors = [err182] : vErrors.push(err182), errors++;
                  }
                  if (data55.port === void 0) {
                    let err183 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "port" }, message: "must have required property 'port'" };
                    vErrors === null ? vErrors = [err183] : vErrors.push(err183), errors++;
                  }
                  if (data55.path === void 0) {
                    let err184 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "path" }, message: "must have required property 'path'" };
                    vErrors === null ? vErrors = [err184] : vErrors.push(err184), errors++;
                  }
                  if (data55.poll === void 0) {
                    let err185 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "poll" }, message: "must have required property 'poll'" };
                    vErrors === null ? vErrors = [err185] : vErrors.push(err185), errors++;
                  }
                  if (data55.timeout === void 0) {
                    let err186 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "timeout" }, message: "must have required property 'timeout'" };
                    vErrors === null ? vErrors = [err186] : vErrors.push(err186), errors++;
                  }
                  if (data55.retries === void 0) {
                    let err187 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/required", keyword: "required", params: { missingProperty: "retries" }, message: "must have required property 'retries'" };
                    vErrors === null ? vErrors = [err187] : vErrors.push(err187), errors++;
                  }
                  for (let key10 in data55)
                    if (!func1.call(schema31.properties.healthchecks.items.oneOf[0].properties, key10)) {
                      let err188 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key10 }, message: "must NOT have additional properties" };
                      vErrors === null ? vErrors = [err188] : vErrors.push(err188), errors++;
                    }
                  if (data55.type !== void 0) {
                    let data68 = data55.type;
                    if (typeof data68 != "string") {
                      let err189 = { instancePath: instancePath + "/healthchecks/" + i8 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/type/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err189] : vErrors.push(err189), errors++;
                    }
                    if (!(data68 === "http" || data68 === "https")) {
                      let err190 = { instancePath: instancePath + "/healthchecks/" + i8 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/type/enum", keyword: "enum", params: { allowedValues: schema31.properties.healthchecks.items.oneOf[0].properties.type.enum }, message: "must be equal to one of the allowed values" };
                      vErrors === null ? vErrors = [err190] : vErrors.push(err190), errors++;
                    }
                  }
                  if (data55.network !== void 0) {
                    let data69 = data55.network;
                    if (typeof data69 == "string") {
                      if (func2(data69) > 64) {
                        let err191 = { instancePath: instancePath + "/healthchecks/" + i8 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
                        vErrors === null ? vErrors = [err191] : vErrors.push(err191), errors++;
                      }
                      if (func2(data69) < 1) {
                        let err192 = { instancePath: instancePath + "/healthchecks/" + i8 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                        vErrors === null ? vErrors = [err192] : vErrors.push(err192), errors++;
                      }
                      if (!pattern19.test(data69)) {
                        let err193 = { instancePath: instancePath + "/healthchecks/" + i8 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$"' };
                        vErrors === null ? vErrors = [err193] : vErrors.push(err193), errors++;
                      }
                    } else {
                      let err194 = { instancePath: instancePath + "/healthchecks/" + i8 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/network/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err194] : vErrors.push(err194), errors++;
                    }
                  }
                  if (data55.port !== void 0) {
                    let data70 = data55.port;
                    if (!(typeof data70 == "number" && !(data70 % 1) && !isNaN(data70) && isFinite(data70))) {
                      let err195 = { instancePath: instancePath + "/healthchecks/" + i8 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/port/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err195] : vErrors.push(err195), errors++;
                    }
                    if (typeof data70 == "number" && isFinite(data70)) {
                      if (data70 > 65535 || isNaN(data70)) {
                        let err196 = { instancePath: instancePath + "/healthchecks/" + i8 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/port/maximum", keyword: "maximum", params: { comparison: "<=", limit: 65535 }, message: "must be <= 65535" };
                        vErrors === null ? vErrors = [err196] : vErrors.push(err196), errors++;
                      }
                      if (data70 < 1 || isNaN(data70)) {
                        let err197 = { instancePath: instancePath + "/healthchecks/" + i8 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/port/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                        vErrors === null ? vErrors = [err197] : vErrors.push(err197), errors++;
                      }
                    }
                  }
                  if (data55.path !== void 0) {
                    let data71 = data55.path;
                    if (typeof data71 == "string") {
                      if (!pattern9.test(data71)) {
                        let err198 = { instancePath: instancePath + "/healthchecks/" + i8 + "/path", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/path/pattern", keyword: "pattern", params: { pattern: "^/" }, message: 'must match pattern "^/"' };
                        vErrors === null ? vErrors = [err198] : vErrors.push(err198), errors++;
                      }
                    } else {
                      let err199 = { instancePath: instancePath + "/healthchecks/" + i8 + "/path", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/path/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err199] : vErrors.push(err199), errors++;
                    }
                  }
                  if (data55.poll !== void 0) {
                    let data72 = data55.poll;
                    if (typeof data72 == "number" && isFinite(data72)) {
                      if (data72 > 86400 || isNaN(data72)) {
                        let err200 = { instancePath: instancePath + "/healthchecks/" + i8 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/poll/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err200] : vErrors.push(err200), errors++;
                      }
                      if (data72 < 0.1 || isNaN(data72)) {
                        let err201 = { instancePath: instancePath + "/healthchecks/" + i8 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/poll/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err201] : vErrors.push(err201), errors++;
                      }
                    } else {
                      let err202 = { instancePath: instancePath + "/healthchecks/" + i8 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/poll/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err202] : vErrors.push(err202), errors++;
                    }
                  }
                  if (data55.timeout !== void 0) {
                    let data73 = data55.timeout;
                    if (typeof data73 == "number" && isFinite(data73)) {
                      if (data73 > 3600 || isNaN(data73)) {
                        let err203 = { instancePath: instancePath + "/healthchecks/" + i8 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/timeout/maximum", keyword: "maximum", params: { comparison: "<=", limit: 3600 }, message: "must be <= 3600" };
                        vErrors === null ? vErrors = [err203] : vErrors.push(err203), errors++;
                      }
                      if (data73 < 0.01 || isNaN(data73)) {
                        let err204 = { instancePath: instancePath + "/healthchecks/" + i8 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/timeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.01 }, message: "must be >= 0.01" };
                        vErrors === null ? vErrors = [err204] : vErrors.push(err204), errors++;
                      }
                    } else {
                      let err205 = { instancePath: instancePath + "/healthchecks/" + i8 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/timeout/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err205] : vErrors.push(err205), errors++;
                    }
                  }
                  if (data55.retries !== void 0) {
                    let data74 = data55.retries;
                    if (!(typeof data74 == "number" && !(data74 % 1) && !isNaN(data74) && isFinite(data74))) {
                      let err206 = { instancePath: instancePath + "/healthchecks/" + i8 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/retries/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err206] : vErrors.push(err206), errors++;
                    }
                    if (typeof data74 == "number" && isFinite(data74)) {
                      if (data74 > 1e3 || isNaN(data74)) {
                        let err207 = { instancePath: instancePath + "/healthchecks/" + i8 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/retries/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" };
                        vErrors === null ? vErrors = [err207] : vErrors.push(err207), errors++;
                      }
                      if (data74 < 1 || isNaN(data74)) {
                        let err208 = { instancePath: instancePath + "/healthchecks/" + i8 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/retries/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                        vErrors === null ? vErrors = [err208] : vErrors.push(err208), errors++;
                      }
                    }
                  }
                  if (data55.start_period !== void 0) {
                    let data75 = data55.start_period;
                    if (typeof data75 == "number" && isFinite(data75)) {
                      if (data75 > 86400 || isNaN(data75)) {
                        let err209 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_period/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err209] : vErrors.push(err209), errors++;
                      }
                      if (data75 < 0 || isNaN(data75)) {
                        let err210 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_period/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                        vErrors === null ? vErrors = [err210] : vErrors.push(err210), errors++;
                      }
                    } else {
                      let err211 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_period/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err211] : vErrors.push(err211), errors++;
                    }
                  }
                  if (data55.start_interval !== void 0) {
                    let data76 = data55.start_interval;
                    if (typeof data76 == "number" && isFinite(data76)) {
                      if (data76 > 86400 || isNaN(data76)) {
                        let err212 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_interval/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err212] : vErrors.push(err212), errors++;
                      }
                      if (data76 < 0.1 || isNaN(data76)) {
                        let err213 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_interval/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err213] : vErrors.push(err213), errors++;
                      }
                    } else {
                      let err214 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/start_interval/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err214] : vErrors.push(err214), errors++;
                    }
                  }
                  if (data55.redirects !== void 0) {
                    let data77 = data55.redirects;
                    if (!(typeof data77 == "number" && !(data77 % 1) && !isNaN(data77) && isFinite(data77))) {
                      let err215 = { instancePath: instancePath + "/healthchecks/" + i8 + "/redirects", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/redirects/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err215] : vErrors.push(err215), errors++;
                    }
                    if (typeof data77 == "number" && isFinite(data77)) {
                      if (data77 > 10 || isNaN(data77)) {
                        let err216 = { instancePath: instancePath + "/healthchecks/" + i8 + "/redirects", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/redirects/maximum", keyword: "maximum", params: { comparison: "<=", limit: 10 }, message: "must be <= 10" };
                        vErrors === null ? vErrors = [err216] : vErrors.push(err216), errors++;
                      }
                      if (data77 < 0 || isNaN(data77)) {
                        let err217 = { instancePath: instancePath + "/healthchecks/" + i8 + "/redirects", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/redirects/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                        vErrors === null ? vErrors = [err217] : vErrors.push(err217), errors++;
                      }
                    }
                  }
                  if (data55.host !== void 0) {
                    let data78 = data55.host;
                    if (typeof data78 == "string") {
                      if (!pattern21.test(data78)) {
                        let err218 = { instancePath: instancePath + "/healthchecks/" + i8 + "/host", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/host/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$"' };
                        vErrors === null ? vErrors = [err218] : vErrors.push(err218), errors++;
                      }
                    } else {
                      let err219 = { instancePath: instancePath + "/healthchecks/" + i8 + "/host", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/host/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err219] : vErrors.push(err219), errors++;
                    }
                  }
                  if (data55.verify !== void 0 && typeof data55.verify != "boolean") {
                    let err220 = { instancePath: instancePath + "/healthchecks/" + i8 + "/verify", schemaPath: "#/properties/healthchecks/items/oneOf/0/properties/verify/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                    vErrors === null ? vErrors = [err220] : vErrors.push(err220), errors++;
                  }
                } else {
                  let err221 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/0/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                  vErrors === null ? vErrors = [err221] : vErrors.push(err221), errors++;
                }
                props2 !== !0 && (props2 = !0);
              } else if (tag0 === "tcp") {
                if (data55 && typeof data55 == "object" && !Array.isArray(data55)) {
                  if (data55.type === void 0) {
                    let err222 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/1/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'" };
                    vErrors === null ? vErrors = [err222] : vErrors.push(err222), errors++;
                  }
                  if (data55.network === void 0) {
                    let err223 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/1/required", keyword: "required", params: { missingProperty: "network" }, message: "must have required property 'network'" };
                    vErrors === null ? vErrors = [err223] : vErrors.push(err223), errors++;
                  }
                  if (data55.port === void 0) {
                    let err224 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/1/required", keyword: "required", params: { missingProperty: "port" }, message: "must have required property 'port'" };
                    vErrors === null ? vErrors = [err224] : vErrors.push(err224), errors++;
                  }
                  if (data55.poll === void 0) {
                    let err225 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/1/required", keyword: "required", params: { missingProperty: "poll" }, message: "must have required property 'poll'" };
                    vErrors === null ? vErrors = [err225] : vErrors.push(err225), errors++;
                  }
                  if (data55.timeout === void 0) {
                    let err226 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/1/required", keyword: "required", params: { missingProperty: "timeout" }, message: "must have required property 'timeout'" };
                    vErrors === null ? vErrors = [err226] : vErrors.push(err226), errors++;
                  }
                  if (data55.retries === void 0) {
                    let err227 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/1/required", keyword: "required", params: { missingProperty: "retries" }, message: "must have required property 'retries'" };
                    vErrors === null ? vErrors = [err227] : vErrors.push(err227), errors++;
                  }
                  for (let key11 in data55)
                    if (!(key11 === "type" || key11 === "network" || key11 === "port" || key11 === "poll" || key11 === "timeout" || key11 === "retries" || key11 === "start_period" || key11 === "start_interval")) {
                      let err228 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/1/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key11 }, message: "must NOT have additional properties" };
                      vErrors === null ? vErrors = [err228] : vErrors.push(err228), errors++;
                    }
                  if (data55.type !== void 0) {
                    let data80 = data55.type;
                    if (typeof data80 != "string") {
                      let err229 = { instancePath: instancePath + "/healthchecks/" + i8 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/type/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err229] : vErrors.push(err229), errors++;
                    }
                    if (data80 !== "tcp") {
                      let err230 = { instancePath: instancePath + "/healthchecks/" + i8 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/type/enum", keyword: "enum", params: { allowedValues: schema31.properties.healthchecks.items.oneOf[1].properties.type.enum }, message: "must be equal to one of the allowed values" };
                      vErrors === null ? vErrors = [err230] : vErrors.push(err230), errors++;
                    }
                  }
                  if (data55.network !== void 0) {
                    let data81 = data55.network;
                    if (typeof data81 == "string") {
                      if (func2(data81) > 64) {
                        let err231 = { instancePath: instancePath + "/healthchecks/" + i8 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/network/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
                        vErrors === null ? vErrors = [err231] : vErrors.push(err231), errors++;
                      }
                      if (func2(data81) < 1) {
                        let err232 = { instancePath: instancePath + "/healthchecks/" + i8 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/network/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                        vErrors === null ? vErrors = [err232] : vErrors.push(err232), errors++;
                      }
                      if (!pattern19.test(data81)) {
                        let err233 = { instancePath: instancePath + "/healthchecks/" + i8 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/network/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$"' };
                        vErrors === null ? vErrors = [err233] : vErrors.push(err233), errors++;
                      }
                    } else {
                      let err234 = { instancePath: instancePath + "/healthchecks/" + i8 + "/network", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/network/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err234] : vErrors.push(err234), errors++;
                    }
                  }
                  if (data55.port !== void 0) {
                    let data82 = data55.port;
                    if (!(typeof data82 == "number" && !(data82 % 1) && !isNaN(data82) && isFinite(data82))) {
                      let err235 = { instancePath: instancePath + "/healthchecks/" + i8 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/port/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err235] : vErrors.push(err235), errors++;
                    }
                    if (typeof data82 == "number" && isFinite(data82)) {
                      if (data82 > 65535 || isNaN(data82)) {
                        let err236 = { instancePath: instancePath + "/healthchecks/" + i8 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/port/maximum", keyword: "maximum", params: { comparison: "<=", limit: 65535 }, message: "must be <= 65535" };
                        vErrors === null ? vErrors = [err236] : vErrors.push(err236), errors++;
                      }
                      if (data82 < 1 || isNaN(data82)) {
                        let err237 = { instancePath: instancePath + "/healthchecks/" + i8 + "/port", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/port/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                        vErrors === null ? vErrors = [err237] : vErrors.push(err237), errors++;
                      }
                    }
                  }
                  if (data55.poll !== void 0) {
                    let data83 = data55.poll;
                    if (typeof data83 == "number" && isFinite(data83)) {
                      if (data83 > 86400 || isNaN(data83)) {
                        let err238 = { instancePath: instancePath + "/healthchecks/" + i8 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/poll/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err238] : vErrors.push(err238), errors++;
                      }
                      if (data83 < 0.1 || isNaN(data83)) {
                        let err239 = { instancePath: instancePath + "/healthchecks/" + i8 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/poll/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err239] : vErrors.push(err239), errors++;
                      }
                    } else {
                      let err240 = { instancePath: instancePath + "/healthchecks/" + i8 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/poll/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err240] : vErrors.push(err240), errors++;
                    }
                  }
                  if (data55.timeout !== void 0) {
                    let data84 = data55.timeout;
                    if (typeof data84 == "number" && isFinite(data84)) {
                      if (data84 > 3600 || isNaN(data84)) {
                        let err241 = { instancePath: instancePath + "/healthchecks/" + i8 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/timeout/maximum", keyword: "maximum", params: { comparison: "<=", limit: 3600 }, message: "must be <= 3600" };
                        vErrors === null ? vErrors = [err241] : vErrors.push(err241), errors++;
                      }
                      if (data84 < 0.01 || isNaN(data84)) {
                        let err242 = { instancePath: instancePath + "/healthchecks/" + i8 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/timeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.01 }, message: "must be >= 0.01" };
                        vErrors === null ? vErrors = [err242] : vErrors.push(err242), errors++;
                      }
                    } else {
                      let err243 = { instancePath: instancePath + "/healthchecks/" + i8 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/timeout/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err243] : vErrors.push(err243), errors++;
                    }
                  }
                  if (data55.retries !== void 0) {
                    let data85 = data55.retries;
                    if (!(typeof data85 == "number" && !(data85 % 1) && !isNaN(data85) && isFinite(data85))) {
                      let err244 = { instancePath: instancePath + "/healthchecks/" + i8 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/retries/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err244] : vErrors.push(err244), errors++;
                    }
                    if (typeof data85 == "number" && isFinite(data85)) {
                      if (data85 > 1e3 || isNaN(data85)) {
                        let err245 = { instancePath: instancePath + "/healthchecks/" + i8 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/retries/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" };
                        vErrors === null ? vErrors = [err245] : vErrors.push(err245), errors++;
                      }
                      if (data85 < 1 || isNaN(data85)) {
                        let err246 = { instancePath: instancePath + "/healthchecks/" + i8 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/retries/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                        vErrors === null ? vErrors = [err246] : vErrors.push(err246), errors++;
                      }
                    }
                  }
                  if (data55.start_period !== void 0) {
                    let data86 = data55.start_period;
                    if (typeof data86 == "number" && isFinite(data86)) {
                      if (data86 > 86400 || isNaN(data86)) {
                        let err247 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/start_period/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err247] : vErrors.push(err247), errors++;
                      }
                      if (data86 < 0 || isNaN(data86)) {
                        let err248 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/start_period/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                        vErrors === null ? vErrors = [err248] : vErrors.push(err248), errors++;
                      }
                    } else {
                      let err249 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/start_period/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err249] : vErrors.push(err249), errors++;
                    }
                  }
                  if (data55.start_interval !== void 0) {
                    let data87 = data55.start_interval;
                    if (typeof data87 == "number" && isFinite(data87)) {
                      if (data87 > 86400 || isNaN(data87)) {
                        let err250 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/start_interval/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err250] : vErrors.push(err250), errors++;
                      }
                      if (data87 < 0.1 || isNaN(data87)) {
                        let err251 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/start_interval/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err251] : vErrors.push(err251), errors++;
                      }
                    } else {
                      let err252 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/1/properties/start_interval/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err252] : vErrors.push(err252), errors++;
                    }
                  }
                } else {
                  let err253 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/1/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                  vErrors === null ? vErrors = [err253] : vErrors.push(err253), errors++;
                }
                props2 !== !0 && (props2 = !0);
              } else if (tag0 === "command") {
                if (data55 && typeof data55 == "object" && !Array.isArray(data55)) {
                  if (data55.type === void 0) {
                    let err254 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/2/required", keyword: "required", params: { missingProperty: "type" }, message: "must have required property 'type'" };
                    vErrors === null ? vErrors = [err254] : vErrors.push(err254), errors++;
                  }
                  if (data55.command === void 0) {
                    let err255 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/2/required", keyword: "required", params: { missingProperty: "command" }, message: "must have required property 'command'" };
                    vErrors === null ? vErrors = [err255] : vErrors.push(err255), errors++;
                  }
                  if (data55.poll === void 0) {
                    let err256 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/2/required", keyword: "required", params: { missingProperty: "poll" }, message: "must have required property 'poll'" };
                    vErrors === null ? vErrors = [err256] : vErrors.push(err256), errors++;
                  }
                  if (data55.timeout === void 0) {
                    let err257 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/2/required", keyword: "required", params: { missingProperty: "timeout" }, message: "must have required property 'timeout'" };
                    vErrors === null ? vErrors = [err257] : vErrors.push(err257), errors++;
                  }
                  if (data55.retries === void 0) {
                    let err258 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/2/required", keyword: "required", params: { missingProperty: "retries" }, message: "must have required property 'retries'" };
                    vErrors === null ? vErrors = [err258] : vErrors.push(err258), errors++;
                  }
                  for (let key12 in data55)
                    if (!(key12 === "type" || key12 === "command" || key12 === "user" || key12 === "poll" || key12 === "timeout" || key12 === "retries" || key12 === "start_period" || key12 === "start_interval")) {
                      let err259 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/2/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key12 }, message: "must NOT have additional properties" };
                      vErrors === null ? vErrors = [err259] : vErrors.push(err259), errors++;
                    }
                  if (data55.type !== void 0) {
                    let data88 = data55.type;
                    if (typeof data88 != "string") {
                      let err260 = { instancePath: instancePath + "/healthchecks/" + i8 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/type/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err260] : vErrors.push(err260), errors++;
                    }
                    if (data88 !== "command") {
                      let err261 = { instancePath: instancePath + "/healthchecks/" + i8 + "/type", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/type/enum", keyword: "enum", params: { allowedValues: schema31.properties.healthchecks.items.oneOf[2].properties.type.enum }, message: "must be equal to one of the allowed values" };
                      vErrors === null ? vErrors = [err261] : vErrors.push(err261), errors++;
                    }
                  }
                  if (data55.command !== void 0) {
                    let data89 = data55.command;
                    if (Array.isArray(data89)) {
                      if (data89.length < 1) {
                        let err262 = { instancePath: instancePath + "/healthchecks/" + i8 + "/command", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/command/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
                        vErrors === null ? vErrors = [err262] : vErrors.push(err262), errors++;
                      }
                      let len9 = data89.length;
                      for (let i9 = 0; i9 < len9; i9++)
                        if (typeof data89[i9] != "string") {
                          let err263 = { instancePath: instancePath + "/healthchecks/" + i8 + "/command/" + i9, schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/command/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                          vErrors === null ? vErrors = [err263] : vErrors.push(err263), errors++;
                        }
                    } else {
                      let err264 = { instancePath: instancePath + "/healthchecks/" + i8 + "/command", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/command/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                      vErrors === null ? vErrors = [err264] : vErrors.push(err264), errors++;
                    }
                  }
                  if (data55.user !== void 0) {
                    let data91 = data55.user;
                    if (typeof data91 == "string") {
                      if (func2(data91) < 1) {
                        let err265 = { instancePath: instancePath + "/healthchecks/" + i8 + "/user", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/user/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                        vErrors === null ? vErrors = [err265] : vErrors.push(err265), errors++;
                      }
                    } else {
                      let err266 = { instancePath: instancePath + "/healthchecks/" + i8 + "/user", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/user/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err266] : vErrors.push(err266), errors++;
                    }
                  }
                  if (data55.poll !== void 0) {
                    let data92 = data55.poll;
                    if (typeof data92 == "number" && isFinite(data92)) {
                      if (data92 > 86400 || isNaN(data92)) {
                        let err267 = { instancePath: instancePath + "/healthchecks/" + i8 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/poll/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err267] : vErrors.push(err267), errors++;
                      }
                      if (data92 < 0.1 || isNaN(data92)) {
                        let err268 = { instancePath: instancePath + "/healthchecks/" + i8 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/poll/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err268] : vErrors.push(err268), errors++;
                      }
                    } else {
                      let err269 = { instancePath: instancePath + "/healthchecks/" + i8 + "/poll", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/poll/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err269] : vErrors.push(err269), errors++;
                    }
                  }
                  if (data55.timeout !== void 0) {
                    let data93 = data55.timeout;
                    if (typeof data93 == "number" && isFinite(data93)) {
                      if (data93 > 3600 || isNaN(data93)) {
                        let err270 = { instancePath: instancePath + "/healthchecks/" + i8 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/timeout/maximum", keyword: "maximum", params: { comparison: "<=", limit: 3600 }, message: "must be <= 3600" };
                        vErrors === null ? vErrors = [err270] : vErrors.push(err270), errors++;
                      }
                      if (data93 < 0.01 || isNaN(data93)) {
                        let err271 = { instancePath: instancePath + "/healthchecks/" + i8 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/timeout/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.01 }, message: "must be >= 0.01" };
                        vErrors === null ? vErrors = [err271] : vErrors.push(err271), errors++;
                      }
                    } else {
                      let err272 = { instancePath: instancePath + "/healthchecks/" + i8 + "/timeout", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/timeout/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err272] : vErrors.push(err272), errors++;
                    }
                  }
                  if (data55.retries !== void 0) {
                    let data94 = data55.retries;
                    if (!(typeof data94 == "number" && !(data94 % 1) && !isNaN(data94) && isFinite(data94))) {
                      let err273 = { instancePath: instancePath + "/healthchecks/" + i8 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/retries/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                      vErrors === null ? vErrors = [err273] : vErrors.push(err273), errors++;
                    }
                    if (typeof data94 == "number" && isFinite(data94)) {
                      if (data94 > 1e3 || isNaN(data94)) {
                        let err274 = { instancePath: instancePath + "/healthchecks/" + i8 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/retries/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" };
                        vErrors === null ? vErrors = [err274] : vErrors.push(err274), errors++;
                      }
                      if (data94 < 1 || isNaN(data94)) {
                        let err275 = { instancePath: instancePath + "/healthchecks/" + i8 + "/retries", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/retries/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                        vErrors === null ? vErrors = [err275] : vErrors.push(err275), errors++;
                      }
                    }
                  }
                  if (data55.start_period !== void 0) {
                    let data95 = data55.start_period;
                    if (typeof data95 == "number" && isFinite(data95)) {
                      if (data95 > 86400 || isNaN(data95)) {
                        let err276 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/start_period/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err276] : vErrors.push(err276), errors++;
                      }
                      if (data95 < 0 || isNaN(data95)) {
                        let err277 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/start_period/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                        vErrors === null ? vErrors = [err277] : vErrors.push(err277), errors++;
                      }
                    } else {
                      let err278 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_period", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/start_period/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err278] : vErrors.push(err278), errors++;
                    }
                  }
                  if (data55.start_interval !== void 0) {
                    let data96 = data55.start_interval;
                    if (typeof data96 == "number" && isFinite(data96)) {
                      if (data96 > 86400 || isNaN(data96)) {
                        let err279 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/start_interval/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                        vErrors === null ? vErrors = [err279] : vErrors.push(err279), errors++;
                      }
                      if (data96 < 0.1 || isNaN(data96)) {
                        let err280 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/start_interval/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0.1 }, message: "must be >= 0.1" };
                        vErrors === null ? vErrors = [err280] : vErrors.push(err280), errors++;
                      }
                    } else {
                      let err281 = { instancePath: instancePath + "/healthchecks/" + i8 + "/start_interval", schemaPath: "#/properties/healthchecks/items/oneOf/2/properties/start_interval/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                      vErrors === null ? vErrors = [err281] : vErrors.push(err281), errors++;
                    }
                  }
                } else {
                  let err282 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/oneOf/2/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                  vErrors === null ? vErrors = [err282] : vErrors.push(err282), errors++;
                }
                props2 !== !0 && (props2 = !0);
              } else {
                let err283 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/discriminator", keyword: "discriminator", params: { error: "mapping", tag: "type", tagValue: tag0 }, message: 'value of tag "type" must be in oneOf' };
                vErrors === null ? vErrors = [err283] : vErrors.push(err283), errors++;
              }
            else {
              let err284 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/discriminator", keyword: "discriminator", params: { error: "tag", tag: "type", tagValue: tag0 }, message: 'tag "type" must be string' };
              vErrors === null ? vErrors = [err284] : vErrors.push(err284), errors++;
            }
          } else {
            let err285 = { instancePath: instancePath + "/healthchecks/" + i8, schemaPath: "#/properties/healthchecks/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err285] : vErrors.push(err285), errors++;
          }
        }
      } else {
        let err286 = { instancePath: instancePath + "/healthchecks", schemaPath: "#/properties/healthchecks/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err286] : vErrors.push(err286), errors++;
      }
    }
    if (data.containerpilot !== void 0) {
      let data97 = data.containerpilot;
      if (data97 && typeof data97 == "object" && !Array.isArray(data97)) {
        if (data97.port === void 0) {
          let err287 = { instancePath: instancePath + "/containerpilot", schemaPath: "#/properties/containerpilot/required", keyword: "required", params: { missingProperty: "port" }, message: "must have required property 'port'" };
          vErrors === null ? vErrors = [err287] : vErrors.push(err287), errors++;
        }
        for (let key13 in data97)
          if (!(key13 === "network" || key13 === "port")) {
            let err288 = { instancePath: instancePath + "/containerpilot", schemaPath: "#/properties/containerpilot/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key13 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err288] : vErrors.push(err288), errors++;
          }
        if (data97.network !== void 0) {
          let data98 = data97.network;
          if (typeof data98 == "string") {
            if (func2(data98) > 64) {
              let err289 = { instancePath: instancePath + "/containerpilot/network", schemaPath: "#/properties/containerpilot/properties/network/maxLength", keyword: "maxLength", params: { limit: 64 }, message: "must NOT have more than 64 characters" };
              vErrors === null ? vErrors = [err289] : vErrors.push(err289), errors++;
            }
            if (func2(data98) < 1) {
              let err290 = { instancePath: instancePath + "/containerpilot/network", schemaPath: "#/properties/containerpilot/properties/network/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              vErrors === null ? vErrors = [err290] : vErrors.push(err290), errors++;
            }
            if (!pattern19.test(data98)) {
              let err291 = { instancePath: instancePath + "/containerpilot/network", schemaPath: "#/properties/containerpilot/properties/network/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$"' };
              vErrors === null ? vErrors = [err291] : vErrors.push(err291), errors++;
            }
          } else {
            let err292 = { instancePath: instancePath + "/containerpilot/network", schemaPath: "#/properties/containerpilot/properties/network/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err292] : vErrors.push(err292), errors++;
          }
        }
        if (data97.port !== void 0) {
          let data99 = data97.port;
          if (!(typeof data99 == "number" && !(data99 % 1) && !isNaN(data99) && isFinite(data99))) {
            let err293 = { instancePath: instancePath + "/containerpilot/port", schemaPath: "#/properties/containerpilot/properties/port/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err293] : vErrors.push(err293), errors++;
          }
          if (typeof data99 == "number" && isFinite(data99)) {
            if (data99 > 65535 || isNaN(data99)) {
              let err294 = { instancePath: instancePath + "/containerpilot/port", schemaPath: "#/properties/containerpilot/properties/port/maximum", keyword: "maximum", params: { comparison: "<=", limit: 65535 }, message: "must be <= 65535" };
              vErrors === null ? vErrors = [err294] : vErrors.push(err294), errors++;
            }
            if (data99 < 1 || isNaN(data99)) {
              let err295 = { instancePath: instancePath + "/containerpilot/port", schemaPath: "#/properties/containerpilot/properties/port/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              vErrors === null ? vErrors = [err295] : vErrors.push(err295), errors++;
            }
          }
        }
      } else {
        let err296 = { instancePath: instancePath + "/containerpilot", schemaPath: "#/properties/containerpilot/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err296] : vErrors.push(err296), errors++;
      }
    }
    if (data.autoscale !== void 0) {
      let data100 = data.autoscale;
      if (data100 && typeof data100 == "object" && !Array.isArray(data100)) {
        if (data100.enable === void 0) {
          let err297 = { instancePath: instancePath + "/autoscale", schemaPath: "#/properties/autoscale/required", keyword: "required", params: { missingProperty: "enable" }, message: "must have required property 'enable'" };
          vErrors === null ? vErrors = [err297] : vErrors.push(err297), errors++;
        }
        if (data100.min === void 0) {
          let err298 = { instancePath: instancePath + "/autoscale", schemaPath: "#/properties/autoscale/required", keyword: "required", params: { missingProperty: "min" }, message: "must have required property 'min'" };
          vErrors === null ? vErrors = [err298] : vErrors.push(err298), errors++;
        }
        if (data100.retrigger_delay === void 0) {
          let err299 = { instancePath: instancePath + "/autoscale", schemaPath: "#/properties/autoscale/required", keyword: "required", params: { missingProperty: "retrigger_delay" }, message: "must have required property 'retrigger_delay'" };
          vErrors === null ? vErrors = [err299] : vErrors.push(err299), errors++;
        }
        if (data100.notify_email === void 0) {
          let err300 = { instancePath: instancePath + "/autoscale", schemaPath: "#/properties/autoscale/required", keyword: "required", params: { missingProperty: "notify_email" }, message: "must have required property 'notify_email'" };
          vErrors === null ? vErrors = [err300] : vErrors.push(err300), errors++;
        }
        for (let key14 in data100)
          if (!(key14 === "enable" || key14 === "min" || key14 === "max" || key14 === "retrigger_delay" || key14 === "notify_email")) {
            let err301 = { instancePath: instancePath + "/autoscale", schemaPath: "#/properties/autoscale/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key14 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err301] : vErrors.push(err301), errors++;
          }
        if (data100.enable !== void 0) {
          let data101 = data100.enable;
          if (!(data101 === "notify" || data101 === !0 || data101 === !1)) {
            let err302 = { instancePath: instancePath + "/autoscale/enable", schemaPath: "#/properties/autoscale/properties/enable/enum", keyword: "enum", params: { allowedValues: schema31.properties.autoscale.properties.enable.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err302] : vErrors.push(err302), errors++;
          }
        }
        if (data100.min !== void 0) {
          let data102 = data100.min;
          if (!(typeof data102 == "number" && !(data102 % 1) && !isNaN(data102) && isFinite(data102))) {
            let err303 = { instancePath: instancePath + "/autoscale/min", schemaPath: "#/properties/autoscale/properties/min/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err303] : vErrors.push(err303), errors++;
          }
          if (typeof data102 == "number" && isFinite(data102)) {
            if (data102 > 1e5 || isNaN(data102)) {
              let err304 = { instancePath: instancePath + "/autoscale/min", schemaPath: "#/properties/autoscale/properties/min/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e5 }, message: "must be <= 100000" };
              vErrors === null ? vErrors = [err304] : vErrors.push(err304), errors++;
            }
            if (data102 < 0 || isNaN(data102)) {
              let err305 = { instancePath: instancePath + "/autoscale/min", schemaPath: "#/properties/autoscale/properties/min/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
              vErrors === null ? vErrors = [err305] : vErrors.push(err305), errors++;
            }
          }
        }
        if (data100.max !== void 0) {
          let data103 = data100.max;
          if (!(typeof data103 == "number" && !(data103 % 1) && !isNaN(data103) && isFinite(data103))) {
            let err306 = { instancePath: instancePath + "/autoscale/max", schemaPath: "#/properties/autoscale/properties/max/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            vErrors === null ? vErrors = [err306] : vErrors.push(err306), errors++;
          }
          if (typeof data103 == "number" && isFinite(data103)) {
            if (data103 > 1e5 || isNaN(data103)) {
              let err307 = { instancePath: instancePath + "/autoscale/max", schemaPath: "#/properties/autoscale/properties/max/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e5 }, message: "must be <= 100000" };
              vErrors === null ? vErrors = [err307] : vErrors.push(err307), errors++;
            }
            if (data103 < 1 || isNaN(data103)) {
              let err308 = { instancePath: instancePath + "/autoscale/max", schemaPath: "#/properties/autoscale/properties/max/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              vErrors === null ? vErrors = [err308] : vErrors.push(err308), errors++;
            }
          }
        }
        if (data100.retrigger_delay !== void 0) {
          let data104 = data100.retrigger_delay;
          if (typeof data104 == "number" && isFinite(data104)) {
            if (data104 > 86400 || isNaN(data104)) {
              let err309 = { instancePath: instancePath + "/autoscale/retrigger_delay", schemaPath: "#/properties/autoscale/properties/retrigger_delay/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
              vErrors === null ? vErrors = [err309] : vErrors.push(err309), errors++;
            }
            if (data104 < 0 || isNaN(data104)) {
              let err310 = { instancePath: instancePath + "/autoscale/retrigger_delay", schemaPath: "#/properties/autoscale/properties/retrigger_delay/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
              vErrors === null ? vErrors = [err310] : vErrors.push(err310), errors++;
            }
          } else {
            let err311 = { instancePath: instancePath + "/autoscale/retrigger_delay", schemaPath: "#/properties/autoscale/properties/retrigger_delay/type", keyword: "type", params: { type: "number" }, message: "must be number" };
            vErrors === null ? vErrors = [err311] : vErrors.push(err311), errors++;
          }
        }
        if (data100.notify_email !== void 0) {
          let data105 = data100.notify_email;
          if (Array.isArray(data105)) {
            if (data105.length > 20) {
              let err312 = { instancePath: instancePath + "/autoscale/notify_email", schemaPath: "#/properties/autoscale/properties/notify_email/maxItems", keyword: "maxItems", params: { limit: 20 }, message: "must NOT have more than 20 items" };
              vErrors === null ? vErrors = [err312] : vErrors.push(err312), errors++;
            }
            let len10 = data105.length;
            for (let i10 = 0; i10 < len10; i10++) {
              let data106 = data105[i10];
              if (typeof data106 == "string") {
                if (func2(data106) > 254) {
                  let err313 = { instancePath: instancePath + "/autoscale/notify_email/" + i10, schemaPath: "#/properties/autoscale/properties/notify_email/items/maxLength", keyword: "maxLength", params: { limit: 254 }, message: "must NOT have more than 254 characters" };
                  vErrors === null ? vErrors = [err313] : vErrors.push(err313), errors++;
                }
                if (!pattern27.test(data106)) {
                  let err314 = { instancePath: instancePath + "/autoscale/notify_email/" + i10, schemaPath: "#/properties/autoscale/properties/notify_email/items/pattern", keyword: "pattern", params: { pattern: "^[^\\s@<>,;]+@[^\\s@<>,;]+$" }, message: 'must match pattern "^[^\\s@<>,;]+@[^\\s@<>,;]+$"' };
                  vErrors === null ? vErrors = [err314] : vErrors.push(err314), errors++;
                }
              } else {
                let err315 = { instancePath: instancePath + "/autoscale/notify_email/" + i10, schemaPath: "#/properties/autoscale/properties/notify_email/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err315] : vErrors.push(err315), errors++;
              }
            }
          } else {
            let err316 = { instancePath: instancePath + "/autoscale/notify_email", schemaPath: "#/properties/autoscale/properties/notify_email/type", keyword: "type", params: { type: "array" }, message: "must be array" };
            vErrors === null ? vErrors = [err316] : vErrors.push(err316), errors++;
          }
        }
      } else {
        let err317 = { instancePath: instancePath + "/autoscale", schemaPath: "#/properties/autoscale/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err317] : vErrors.push(err317), errors++;
      }
    }
    if (data.triggers !== void 0) {
      let data107 = data.triggers;
      if (Array.isArray(data107)) {
        if (data107.length > 50) {
          let err318 = { instancePath: instancePath + "/triggers", schemaPath: "#/properties/triggers/maxItems", keyword: "maxItems", params: { limit: 50 }, message: "must NOT have more than 50 items" };
          vErrors === null ? vErrors = [err318] : vErrors.push(err318), errors++;
        }
        let len11 = data107.length;
        for (let i11 = 0; i11 < len11; i11++) {
          let data108 = data107[i11];
          if (!(data108 && typeof data108 == "object" && !Array.isArray(data108))) {
            let err319 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err319] : vErrors.push(err319), errors++;
          }
          let _errs240 = errors, valid44 = !0, _errs241 = errors, _errs242 = errors, valid45 = !1, _errs243 = errors;
          if (data108 && typeof data108 == "object" && !Array.isArray(data108)) {
            let missing0;
            if (data108.url === void 0 && (missing0 = "url")) {
              let err320 = {};
              vErrors === null ? vErrors = [err320] : vErrors.push(err320), errors++;
            }
          }
          var _valid1 = _errs243 === errors;
          valid45 = valid45 || _valid1;
          let _errs244 = errors;
          if (data108 && typeof data108 == "object" && !Array.isArray(data108)) {
            let missing1;
            if (data108.secret === void 0 && (missing1 = "secret")) {
              let err321 = {};
              vErrors === null ? vErrors = [err321] : vErrors.push(err321), errors++;
            }
          }
          var _valid1 = _errs244 === errors;
          if (valid45 = valid45 || _valid1, valid45)
            errors = _errs242, vErrors !== null && (_errs242 ? vErrors.length = _errs242 : vErrors = null);
          else {
            let err322 = {};
            vErrors === null ? vErrors = [err322] : vErrors.push(err322), errors++;
          }
          var _valid0 = _errs241 === errors;
          errors = _errs240, vErrors !== null && (_errs240 ? vErrors.length = _errs240 : vErrors = null);
          let ifClause0;
          if (_valid0) {
            let _errs245 = errors;
            if (data108 && typeof data108 == "object" && !Array.isArray(data108)) {
              if (data108.name === void 0) {
                let err323 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/then/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'" };
                vErrors === null ? vErrors = [err323] : vErrors.push(err323), errors++;
              }
              if (data108.url === void 0) {
                let err324 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/then/required", keyword: "required", params: { missingProperty: "url" }, message: "must have required property 'url'" };
                vErrors === null ? vErrors = [err324] : vErrors.push(err324), errors++;
              }
              if (data108.action === void 0) {
                let err325 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/then/required", keyword: "required", params: { missingProperty: "action" }, message: "must have required property 'action'" };
                vErrors === null ? vErrors = [err325] : vErrors.push(err325), errors++;
              }
              for (let key15 in data108)
                if (!(key15 === "name" || key15 === "url" || key15 === "secret" || key15 === "action" || key15 === "scale" || key15 === "instances")) {
                  let err326 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/then/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key15 }, message: "must NOT have additional properties" };
                  vErrors === null ? vErrors = [err326] : vErrors.push(err326), errors++;
                }
              if (data108.name !== void 0) {
                let data109 = data108.name;
                if (typeof data109 == "string") {
                  if (!pattern19.test(data109)) {
                    let err327 = { instancePath: instancePath + "/triggers/" + i11 + "/name", schemaPath: "#/properties/triggers/items/then/properties/name/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$"' };
                    vErrors === null ? vErrors = [err327] : vErrors.push(err327), errors++;
                  }
                } else {
                  let err328 = { instancePath: instancePath + "/triggers/" + i11 + "/name", schemaPath: "#/properties/triggers/items/then/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err328] : vErrors.push(err328), errors++;
                }
              }
              if (data108.url !== void 0 && data108.url !== !0) {
                let err329 = { instancePath: instancePath + "/triggers/" + i11 + "/url", schemaPath: "#/properties/triggers/items/then/properties/url/const", keyword: "const", params: { allowedValue: !0 }, message: "must be equal to constant" };
                vErrors === null ? vErrors = [err329] : vErrors.push(err329), errors++;
              }
              if (data108.secret !== void 0) {
                let data111 = data108.secret;
                if (typeof data111 == "string") {
                  if (func2(data111) > 256) {
                    let err330 = { instancePath: instancePath + "/triggers/" + i11 + "/secret", schemaPath: "#/properties/triggers/items/then/properties/secret/maxLength", keyword: "maxLength", params: { limit: 256 }, message: "must NOT have more than 256 characters" };
                    vErrors === null ? vErrors = [err330] : vErrors.push(err330), errors++;
                  }
                  if (func2(data111) < 8) {
                    let err331 = { instancePath: instancePath + "/triggers/" + i11 + "/secret", schemaPath: "#/properties/triggers/items/then/properties/secret/minLength", keyword: "minLength", params: { limit: 8 }, message: "must NOT have fewer than 8 characters" };
                    vErrors === null ? vErrors = [err331] : vErrors.push(err331), errors++;
                  }
                  if (!pattern29.test(data111)) {
                    let err332 = { instancePath: instancePath + "/triggers/" + i11 + "/secret", schemaPath: "#/properties/triggers/items/then/properties/secret/pattern", keyword: "pattern", params: { pattern: "^([\\x21-\\x7e]+|meta\\.[^]+)$" }, message: 'must match pattern "^([\\x21-\\x7e]+|meta\\.[^]+)$"' };
                    vErrors === null ? vErrors = [err332] : vErrors.push(err332), errors++;
                  }
                } else {
                  let err333 = { instancePath: instancePath + "/triggers/" + i11 + "/secret", schemaPath: "#/properties/triggers/items/then/properties/secret/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err333] : vErrors.push(err333), errors++;
                }
              }
              if (data108.action !== void 0) {
                let data112 = data108.action;
                if (typeof data112 != "string") {
                  let err334 = { instancePath: instancePath + "/triggers/" + i11 + "/action", schemaPath: "#/properties/triggers/items/then/properties/action/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err334] : vErrors.push(err334), errors++;
                }
                if (!(data112 === "start" || data112 === "stop" || data112 === "scale")) {
                  let err335 = { instancePath: instancePath + "/triggers/" + i11 + "/action", schemaPath: "#/properties/triggers/items/then/properties/action/enum", keyword: "enum", params: { allowedValues: schema31.properties.triggers.items.then.properties.action.enum }, message: "must be equal to one of the allowed values" };
                  vErrors === null ? vErrors = [err335] : vErrors.push(err335), errors++;
                }
              }
              if (data108.scale !== void 0) {
                let data113 = data108.scale;
                if (!(typeof data113 == "number" && !(data113 % 1) && !isNaN(data113) && isFinite(data113))) {
                  let err336 = { instancePath: instancePath + "/triggers/" + i11 + "/scale", schemaPath: "#/properties/triggers/items/then/properties/scale/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                  vErrors === null ? vErrors = [err336] : vErrors.push(err336), errors++;
                }
                if (typeof data113 == "number" && isFinite(data113)) {
                  if (data113 > 1e5 || isNaN(data113)) {
                    let err337 = { instancePath: instancePath + "/triggers/" + i11 + "/scale", schemaPath: "#/properties/triggers/items/then/properties/scale/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e5 }, message: "must be <= 100000" };
                    vErrors === null ? vErrors = [err337] : vErrors.push(err337), errors++;
                  }
                  if (data113 < 0 || isNaN(data113)) {
                    let err338 = { instancePath: instancePath + "/triggers/" + i11 + "/scale", schemaPath: "#/properties/triggers/items/then/properties/scale/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                    vErrors === null ? vErrors = [err338] : vErrors.push(err338), errors++;
                  }
                }
              }
              if (data108.instances !== void 0) {
                let data114 = data108.instances;
                if (!(typeof data114 == "number" && !(data114 % 1) && !isNaN(data114) && isFinite(data114))) {
                  let err339 = { instancePath: instancePath + "/triggers/" + i11 + "/instances", schemaPath: "#/properties/triggers/items/then/properties/instances/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                  vErrors === null ? vErrors = [err339] : vErrors.push(err339), errors++;
                }
                if (typeof data114 == "number" && isFinite(data114)) {
                  if (data114 > 1e4 || isNaN(data114)) {
                    let err340 = { instancePath: instancePath + "/triggers/" + i11 + "/instances", schemaPath: "#/properties/triggers/items/then/properties/instances/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e4 }, message: "must be <= 10000" };
                    vErrors === null ? vErrors = [err340] : vErrors.push(err340), errors++;
                  }
                  if (data114 < -1e4 || isNaN(data114)) {
                    let err341 = { instancePath: instancePath + "/triggers/" + i11 + "/instances", schemaPath: "#/properties/triggers/items/then/properties/instances/minimum", keyword: "minimum", params: { comparison: ">=", limit: -1e4 }, message: "must be >= -10000" };
                    vErrors === null ? vErrors = [err341] : vErrors.push(err341), errors++;
                  }
                }
              }
            } else {
              let err342 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/then/type", keyword: "type", params: { type: "object" }, message: "must be object" };
              vErrors === null ? vErrors = [err342] : vErrors.push(err342), errors++;
            }
            var _valid0 = _errs245 === errors;
            if (valid44 = _valid0, valid44)
              var props3 = !0;
            ifClause0 = "then";
          } else {
            let _errs259 = errors;
            if (data108 && typeof data108 == "object" && !Array.isArray(data108)) {
              if (data108.name === void 0) {
                let err343 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "name" }, message: "must have required property 'name'" };
                vErrors === null ? vErrors = [err343] : vErrors.push(err343), errors++;
              }
              if (data108.source === void 0) {
                let err344 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "source" }, message: "must have required property 'source'" };
                vErrors === null ? vErrors = [err344] : vErrors.push(err344), errors++;
              }
              if (data108.operator === void 0) {
                let err345 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "operator" }, message: "must have required property 'operator'" };
                vErrors === null ? vErrors = [err345] : vErrors.push(err345), errors++;
              }
              if (data108.value === void 0) {
                let err346 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "value" }, message: "must have required property 'value'" };
                vErrors === null ? vErrors = [err346] : vErrors.push(err346), errors++;
              }
              if (data108.percent === void 0) {
                let err347 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "percent" }, message: "must have required property 'percent'" };
                vErrors === null ? vErrors = [err347] : vErrors.push(err347), errors++;
              }
              if (data108.time === void 0) {
                let err348 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "time" }, message: "must have required property 'time'" };
                vErrors === null ? vErrors = [err348] : vErrors.push(err348), errors++;
              }
              if (data108.aggregate === void 0) {
                let err349 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "aggregate" }, message: "must have required property 'aggregate'" };
                vErrors === null ? vErrors = [err349] : vErrors.push(err349), errors++;
              }
              if (data108.action === void 0) {
                let err350 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "action" }, message: "must have required property 'action'" };
                vErrors === null ? vErrors = [err350] : vErrors.push(err350), errors++;
              }
              if (data108.instances === void 0) {
                let err351 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/else/required", keyword: "required", params: { missingProperty: "instances" }, message: "must have required property 'instances'" };
                vErrors === null ? vErrors = [err351] : vErrors.push(err351), errors++;
              }
              for (let key16 in data108)
                if (!func1.call(schema31.properties.triggers.items.else.properties, key16)) {
                  let err352 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/else/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key16 }, message: "must NOT have additional properties" };
                  vErrors === null ? vErrors = [err352] : vErrors.push(err352), errors++;
                }
              if (data108.name !== void 0) {
                let data115 = data108.name;
                if (typeof data115 == "string") {
                  if (!pattern19.test(data115)) {
                    let err353 = { instancePath: instancePath + "/triggers/" + i11 + "/name", schemaPath: "#/properties/triggers/items/else/properties/name/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$" }, message: 'must match pattern "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$"' };
                    vErrors === null ? vErrors = [err353] : vErrors.push(err353), errors++;
                  }
                } else {
                  let err354 = { instancePath: instancePath + "/triggers/" + i11 + "/name", schemaPath: "#/properties/triggers/items/else/properties/name/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err354] : vErrors.push(err354), errors++;
                }
              }
              if (data108.source !== void 0) {
                let data116 = data108.source;
                if (typeof data116 == "string") {
                  if (!pattern31.test(data116)) {
                    let err355 = { instancePath: instancePath + "/triggers/" + i11 + "/source", schemaPath: "#/properties/triggers/items/else/properties/source/pattern", keyword: "pattern", params: { pattern: "^(service\\.[A-Za-z0-9_-]{1,63}\\.)?(containermonitor|containerpilot)(\\|(containermonitor|containerpilot))?\\.[A-Za-z_:][A-Za-z0-9_:]*$" }, message: 'must match pattern "^(service\\.[A-Za-z0-9_-]{1,63}\\.)?(containermonitor|containerpilot)(\\|(containermonitor|containerpilot))?\\.[A-Za-z_:][A-Za-z0-9_:]*$"' };
                    vErrors === null ? vErrors = [err355] : vErrors.push(err355), errors++;
                  }
                } else {
                  let err356 = { instancePath: instancePath + "/triggers/" + i11 + "/source", schemaPath: "#/properties/triggers/items/else/properties/source/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err356] : vErrors.push(err356), errors++;
                }
              }
              if (data108.operator !== void 0) {
                let data117 = data108.operator;
                if (typeof data117 != "string") {
                  let err357 = { instancePath: instancePath + "/triggers/" + i11 + "/operator", schemaPath: "#/properties/triggers/items/else/properties/operator/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err357] : vErrors.push(err357), errors++;
                }
                if (!(data117 === "<" || data117 === "<=" || data117 === ">" || data117 === ">=" || data117 === "==" || data117 === "!=")) {
                  let err358 = { instancePath: instancePath + "/triggers/" + i11 + "/operator", schemaPath: "#/properties/triggers/items/else/properties/operator/enum", keyword: "enum", params: { allowedValues: schema31.properties.triggers.items.else.properties.operator.enum }, message: "must be equal to one of the allowed values" };
                  vErrors === null ? vErrors = [err358] : vErrors.push(err358), errors++;
                }
              }
              if (data108.value !== void 0) {
                let data118 = data108.value;
                if (!(typeof data118 == "number" && isFinite(data118))) {
                  let err359 = { instancePath: instancePath + "/triggers/" + i11 + "/value", schemaPath: "#/properties/triggers/items/else/properties/value/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                  vErrors === null ? vErrors = [err359] : vErrors.push(err359), errors++;
                }
              }
              if (data108.percent !== void 0 && typeof data108.percent != "boolean") {
                let err360 = { instancePath: instancePath + "/triggers/" + i11 + "/percent", schemaPath: "#/properties/triggers/items/else/properties/percent/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
                vErrors === null ? vErrors = [err360] : vErrors.push(err360), errors++;
              }
              if (data108.time !== void 0) {
                let data120 = data108.time;
                if (typeof data120 == "number" && isFinite(data120)) {
                  if (data120 > 86400 || isNaN(data120)) {
                    let err361 = { instancePath: instancePath + "/triggers/" + i11 + "/time", schemaPath: "#/properties/triggers/items/else/properties/time/maximum", keyword: "maximum", params: { comparison: "<=", limit: 86400 }, message: "must be <= 86400" };
                    vErrors === null ? vErrors = [err361] : vErrors.push(err361), errors++;
                  }
                  if (data120 < 1 || isNaN(data120)) {
                    let err362 = { instancePath: instancePath + "/triggers/" + i11 + "/time", schemaPath: "#/properties/triggers/items/else/properties/time/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                    vErrors === null ? vErrors = [err362] : vErrors.push(err362), errors++;
                  }
                } else {
                  let err363 = { instancePath: instancePath + "/triggers/" + i11 + "/time", schemaPath: "#/properties/triggers/items/else/properties/time/type", keyword: "type", params: { type: "number" }, message: "must be number" };
                  vErrors === null ? vErrors = [err363] : vErrors.push(err363), errors++;
                }
              }
              if (data108.aggregate !== void 0) {
                let data121 = data108.aggregate;
                if (typeof data121 != "string") {
                  let err364 = { instancePath: instancePath + "/triggers/" + i11 + "/aggregate", schemaPath: "#/properties/triggers/items/else/properties/aggregate/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err364] : vErrors.push(err364), errors++;
                }
                if (!(data121 === "avg" || data121 === "min" || data121 === "max" || data121 === "sum" || data121 === "p90")) {
                  let err365 = { instancePath: instancePath + "/triggers/" + i11 + "/aggregate", schemaPath: "#/properties/triggers/items/else/properties/aggregate/enum", keyword: "enum", params: { allowedValues: schema31.properties.triggers.items.else.properties.aggregate.enum }, message: "must be equal to one of the allowed values" };
                  vErrors === null ? vErrors = [err365] : vErrors.push(err365), errors++;
                }
              }
              if (data108.action !== void 0) {
                let data122 = data108.action;
                if (typeof data122 != "string") {
                  let err366 = { instancePath: instancePath + "/triggers/" + i11 + "/action", schemaPath: "#/properties/triggers/items/else/properties/action/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                  vErrors === null ? vErrors = [err366] : vErrors.push(err366), errors++;
                }
                if (!(data122 === "increment" || data122 === "decrement")) {
                  let err367 = { instancePath: instancePath + "/triggers/" + i11 + "/action", schemaPath: "#/properties/triggers/items/else/properties/action/enum", keyword: "enum", params: { allowedValues: schema31.properties.triggers.items.else.properties.action.enum }, message: "must be equal to one of the allowed values" };
                  vErrors === null ? vErrors = [err367] : vErrors.push(err367), errors++;
                }
              }
              if (data108.instances !== void 0) {
                let data123 = data108.instances;
                if (!(typeof data123 == "number" && !(data123 % 1) && !isNaN(data123) && isFinite(data123))) {
                  let err368 = { instancePath: instancePath + "/triggers/" + i11 + "/instances", schemaPath: "#/properties/triggers/items/else/properties/instances/type", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                  vErrors === null ? vErrors = [err368] : vErrors.push(err368), errors++;
                }
                if (typeof data123 == "number" && isFinite(data123)) {
                  if (data123 > 1e4 || isNaN(data123)) {
                    let err369 = { instancePath: instancePath + "/triggers/" + i11 + "/instances", schemaPath: "#/properties/triggers/items/else/properties/instances/maximum", keyword: "maximum", params: { comparison: "<=", limit: 1e4 }, message: "must be <= 10000" };
                    vErrors === null ? vErrors = [err369] : vErrors.push(err369), errors++;
                  }
                  if (data123 < 1 || isNaN(data123)) {
                    let err370 = { instancePath: instancePath + "/triggers/" + i11 + "/instances", schemaPath: "#/properties/triggers/items/else/properties/instances/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
                    vErrors === null ? vErrors = [err370] : vErrors.push(err370), errors++;
                  }
                }
              }
            } else {
              let err371 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/else/type", keyword: "type", params: { type: "object" }, message: "must be object" };
              vErrors === null ? vErrors = [err371] : vErrors.push(err371), errors++;
            }
            var _valid0 = _errs259 === errors;
            valid44 = _valid0, valid44 && props3 !== !0 && (props3 = !0), ifClause0 = "else";
          }
          if (!valid44) {
            let err372 = { instancePath: instancePath + "/triggers/" + i11, schemaPath: "#/properties/triggers/items/if", keyword: "if", params: { failingKeyword: ifClause0 }, message: 'must match "' + ifClause0 + '" schema' };
            vErrors === null ? vErrors = [err372] : vErrors.push(err372), errors++;
          }
        }
      } else {
        let err373 = { instancePath: instancePath + "/triggers", schemaPath: "#/properties/triggers/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err373] : vErrors.push(err373), errors++;
      }
    }
    if (data.webhooks !== void 0) {
      let data124 = data.webhooks;
      if (Array.isArray(data124)) {
        if (data124.length > 20) {
          let err374 = { instancePath: instancePath + "/webhooks", schemaPath: "#/properties/webhooks/maxItems", keyword: "maxItems", params: { limit: 20 }, message: "must NOT have more than 20 items" };
          vErrors === null ? vErrors = [err374] : vErrors.push(err374), errors++;
        }
        let len12 = data124.length;
        for (let i12 = 0; i12 < len12; i12++) {
          let data125 = data124[i12];
          if (data125 && typeof data125 == "object" && !Array.isArray(data125)) {
            if (data125.url === void 0) {
              let err375 = { instancePath: instancePath + "/webhooks/" + i12, schemaPath: "#/properties/webhooks/items/required", keyword: "required", params: { missingProperty: "url" }, message: "must have required property 'url'" };
              vErrors === null ? vErrors = [err375] : vErrors.push(err375), errors++;
            }
            if (data125.events === void 0) {
              let err376 = { instancePath: instancePath + "/webhooks/" + i12, schemaPath: "#/properties/webhooks/items/required", keyword: "required", params: { missingProperty: "events" }, message: "must have required property 'events'" };
              vErrors === null ? vErrors = [err376] : vErrors.push(err376), errors++;
            }
            if (data125.headers === void 0) {
              let err377 = { instancePath: instancePath + "/webhooks/" + i12, schemaPath: "#/properties/webhooks/items/required", keyword: "required", params: { missingProperty: "headers" }, message: "must have required property 'headers'" };
              vErrors === null ? vErrors = [err377] : vErrors.push(err377), errors++;
            }
            if (data125.allow_private === void 0) {
              let err378 = { instancePath: instancePath + "/webhooks/" + i12, schemaPath: "#/properties/webhooks/items/required", keyword: "required", params: { missingProperty: "allow_private" }, message: "must have required property 'allow_private'" };
              vErrors === null ? vErrors = [err378] : vErrors.push(err378), errors++;
            }
            for (let key17 in data125)
              if (!(key17 === "url" || key17 === "events" || key17 === "secret" || key17 === "headers" || key17 === "allow_private")) {
                let err379 = { instancePath: instancePath + "/webhooks/" + i12, schemaPath: "#/properties/webhooks/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key17 }, message: "must NOT have additional properties" };
                vErrors === null ? vErrors = [err379] : vErrors.push(err379), errors++;
              }
            if (data125.url !== void 0) {
              let data126 = data125.url;
              if (typeof data126 == "string") {
                if (func2(data126) > 2048) {
                  let err380 = { instancePath: instancePath + "/webhooks/" + i12 + "/url", schemaPath: "#/properties/webhooks/items/properties/url/maxLength", keyword: "maxLength", params: { limit: 2048 }, message: "must NOT have more than 2048 characters" };
                  vErrors === null ? vErrors = [err380] : vErrors.push(err380), errors++;
                }
                if (!pattern32.test(data126)) {
                  let err381 = { instancePath: instancePath + "/webhooks/" + i12 + "/url", schemaPath: "#/properties/webhooks/items/properties/url/pattern", keyword: "pattern", params: { pattern: "^https?://[^\\s/?#]+\\S*$" }, message: 'must match pattern "^https?://[^\\s/?#]+\\S*$"' };
                  vErrors === null ? vErrors = [err381] : vErrors.push(err381), errors++;
                }
              } else {
                let err382 = { instancePath: instancePath + "/webhooks/" + i12 + "/url", schemaPath: "#/properties/webhooks/items/properties/url/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err382] : vErrors.push(err382), errors++;
              }
            }
            if (data125.events !== void 0) {
              let data127 = data125.events;
              if (Array.isArray(data127)) {
                if (data127.length < 1) {
                  let err383 = { instancePath: instancePath + "/webhooks/" + i12 + "/events", schemaPath: "#/properties/webhooks/items/properties/events/minItems", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
                  vErrors === null ? vErrors = [err383] : vErrors.push(err383), errors++;
                }
                let len13 = data127.length;
                for (let i13 = 0; i13 < len13; i13++) {
                  let data128 = data127[i13];
                  if (typeof data128 != "string") {
                    let err384 = { instancePath: instancePath + "/webhooks/" + i12 + "/events/" + i13, schemaPath: "#/properties/webhooks/items/properties/events/items/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                    vErrors === null ? vErrors = [err384] : vErrors.push(err384), errors++;
                  }
                  if (!(data128 === "start" || data128 === "stop" || data128 === "health" || data128 === "scale" || data128 === "deploy")) {
                    let err385 = { instancePath: instancePath + "/webhooks/" + i12 + "/events/" + i13, schemaPath: "#/properties/webhooks/items/properties/events/items/enum", keyword: "enum", params: { allowedValues: schema31.properties.webhooks.items.properties.events.items.enum }, message: "must be equal to one of the allowed values" };
                    vErrors === null ? vErrors = [err385] : vErrors.push(err385), errors++;
                  }
                }
                let i14 = data127.length, j0;
                if (i14 > 1) {
                  let indices0 = {};
                  for (; i14--; ) {
                    let item0 = data127[i14];
                    if (typeof item0 == "string") {
                      if (typeof indices0[item0] == "number") {
                        j0 = indices0[item0];
                        let err386 = { instancePath: instancePath + "/webhooks/" + i12 + "/events", schemaPath: "#/properties/webhooks/items/properties/events/uniqueItems", keyword: "uniqueItems", params: { i: i14, j: j0 }, message: "must NOT have duplicate items (items ## " + j0 + " and " + i14 + " are identical)" };
                        vErrors === null ? vErrors = [err386] : vErrors.push(err386), errors++;
                        break;
                      }
                      indices0[item0] = i14;
                    }
                  }
                }
              } else {
                let err387 = { instancePath: instancePath + "/webhooks/" + i12 + "/events", schemaPath: "#/properties/webhooks/items/properties/events/type", keyword: "type", params: { type: "array" }, message: "must be array" };
                vErrors === null ? vErrors = [err387] : vErrors.push(err387), errors++;
              }
            }
            if (data125.secret !== void 0) {
              let data129 = data125.secret;
              if (typeof data129 == "string") {
                if (!pattern33.test(data129)) {
                  let err388 = { instancePath: instancePath + "/webhooks/" + i12 + "/secret", schemaPath: "#/properties/webhooks/items/properties/secret/pattern", keyword: "pattern", params: { pattern: "^(whsec_[A-Za-z0-9+/]{32,86}={0,2}|meta\\.[^]+)$" }, message: 'must match pattern "^(whsec_[A-Za-z0-9+/]{32,86}={0,2}|meta\\.[^]+)$"' };
                  vErrors === null ? vErrors = [err388] : vErrors.push(err388), errors++;
                }
              } else {
                let err389 = { instancePath: instancePath + "/webhooks/" + i12 + "/secret", schemaPath: "#/properties/webhooks/items/properties/secret/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                vErrors === null ? vErrors = [err389] : vErrors.push(err389), errors++;
              }
            }
            if (data125.headers !== void 0) {
              let data130 = data125.headers;
              if (data130 && typeof data130 == "object" && !Array.isArray(data130)) {
                var props4 = {};
                for (let key18 in data130)
                  if (pattern7.test(key18)) {
                    if (typeof data130[key18] != "string") {
                      let err390 = { instancePath: instancePath + "/webhooks/" + i12 + "/headers/" + key18.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/webhooks/items/properties/headers/patternProperties/%5E%5B%5E%5Cs%3D%5D%2B%24/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                      vErrors === null ? vErrors = [err390] : vErrors.push(err390), errors++;
                    }
                    props4[key18] = !0;
                  }
              } else {
                let err391 = { instancePath: instancePath + "/webhooks/" + i12 + "/headers", schemaPath: "#/properties/webhooks/items/properties/headers/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                vErrors === null ? vErrors = [err391] : vErrors.push(err391), errors++;
              }
            }
            if (data125.allow_private !== void 0 && typeof data125.allow_private != "boolean") {
              let err392 = { instancePath: instancePath + "/webhooks/" + i12 + "/allow_private", schemaPath: "#/properties/webhooks/items/properties/allow_private/type", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
              vErrors === null ? vErrors = [err392] : vErrors.push(err392), errors++;
            }
          } else {
            let err393 = { instancePath: instancePath + "/webhooks/" + i12, schemaPath: "#/properties/webhooks/items/type", keyword: "type", params: { type: "object" }, message: "must be object" };
            vErrors === null ? vErrors = [err393] : vErrors.push(err393), errors++;
          }
        }
      } else {
        let err394 = { instancePath: instancePath + "/webhooks", schemaPath: "#/properties/webhooks/type", keyword: "type", params: { type: "array" }, message: "must be array" };
        vErrors === null ? vErrors = [err394] : vErrors.push(err394), errors++;
      }
    }
    if (data.schedule !== void 0) {
      let data133 = data.schedule;
      if (data133 && typeof data133 == "object" && !Array.isArray(data133)) {
        if (data133.kind === void 0) {
          let err395 = { instancePath: instancePath + "/schedule", schemaPath: "#/properties/schedule/required", keyword: "required", params: { missingProperty: "kind" }, message: "must have required property 'kind'" };
          vErrors === null ? vErrors = [err395] : vErrors.push(err395), errors++;
        }
        if (data133.expression === void 0) {
          let err396 = { instancePath: instancePath + "/schedule", schemaPath: "#/properties/schedule/required", keyword: "required", params: { missingProperty: "expression" }, message: "must have required property 'expression'" };
          vErrors === null ? vErrors = [err396] : vErrors.push(err396), errors++;
        }
        if (data133.overlap === void 0) {
          let err397 = { instancePath: instancePath + "/schedule", schemaPath: "#/properties/schedule/required", keyword: "required", params: { missingProperty: "overlap" }, message: "must have required property 'overlap'" };
          vErrors === null ? vErrors = [err397] : vErrors.push(err397), errors++;
        }
        for (let key19 in data133)
          if (!(key19 === "kind" || key19 === "expression" || key19 === "epsilon" || key19 === "timezone" || key19 === "overlap")) {
            let err398 = { instancePath: instancePath + "/schedule", schemaPath: "#/properties/schedule/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key19 }, message: "must NOT have additional properties" };
            vErrors === null ? vErrors = [err398] : vErrors.push(err398), errors++;
          }
        if (data133.kind !== void 0) {
          let data134 = data133.kind;
          if (typeof data134 != "string") {
            let err399 = { instancePath: instancePath + "/schedule/kind", schemaPath: "#/properties/schedule/properties/kind/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err399] : vErrors.push(err399), errors++;
          }
          if (!(data134 === "interval" || data134 === "cron")) {
            let err400 = { instancePath: instancePath + "/schedule/kind", schemaPath: "#/properties/schedule/properties/kind/enum", keyword: "enum", params: { allowedValues: schema31.properties.schedule.properties.kind.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err400] : vErrors.push(err400), errors++;
          }
        }
        if (data133.expression !== void 0) {
          let data135 = data133.expression;
          if (typeof data135 == "string") {
            if (func2(data135) > 256) {
              let err401 = { instancePath: instancePath + "/schedule/expression", schemaPath: "#/properties/schedule/properties/expression/maxLength", keyword: "maxLength", params: { limit: 256 }, message: "must NOT have more than 256 characters" };
              vErrors === null ? vErrors = [err401] : vErrors.push(err401), errors++;
            }
            if (func2(data135) < 1) {
              let err402 = { instancePath: instancePath + "/schedule/expression", schemaPath: "#/properties/schedule/properties/expression/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              vErrors === null ? vErrors = [err402] : vErrors.push(err402), errors++;
            }
          } else {
            let err403 = { instancePath: instancePath + "/schedule/expression", schemaPath: "#/properties/schedule/properties/expression/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err403] : vErrors.push(err403), errors++;
          }
        }
        if (data133.epsilon !== void 0) {
          let data136 = data133.epsilon;
          if (typeof data136 == "number" && isFinite(data136)) {
            if (data136 > 31536e3 || isNaN(data136)) {
              let err404 = { instancePath: instancePath + "/schedule/epsilon", schemaPath: "#/properties/schedule/properties/epsilon/maximum", keyword: "maximum", params: { comparison: "<=", limit: 31536e3 }, message: "must be <= 31536000" };
              vErrors === null ? vErrors = [err404] : vErrors.push(err404), errors++;
            }
            if (data136 < 1 || isNaN(data136)) {
              let err405 = { instancePath: instancePath + "/schedule/epsilon", schemaPath: "#/properties/schedule/properties/epsilon/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
              vErrors === null ? vErrors = [err405] : vErrors.push(err405), errors++;
            }
          } else {
            let err406 = { instancePath: instancePath + "/schedule/epsilon", schemaPath: "#/properties/schedule/properties/epsilon/type", keyword: "type", params: { type: "number" }, message: "must be number" };
            vErrors === null ? vErrors = [err406] : vErrors.push(err406), errors++;
          }
        }
        if (data133.timezone !== void 0) {
          let data137 = data133.timezone;
          if (typeof data137 == "string") {
            if (func2(data137) < 1) {
              let err407 = { instancePath: instancePath + "/schedule/timezone", schemaPath: "#/properties/schedule/properties/timezone/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
              vErrors === null ? vErrors = [err407] : vErrors.push(err407), errors++;
            }
          } else {
            let err408 = { instancePath: instancePath + "/schedule/timezone", schemaPath: "#/properties/schedule/properties/timezone/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err408] : vErrors.push(err408), errors++;
          }
        }
        if (data133.overlap !== void 0) {
          let data138 = data133.overlap;
          if (typeof data138 != "string") {
            let err409 = { instancePath: instancePath + "/schedule/overlap", schemaPath: "#/properties/schedule/properties/overlap/type", keyword: "type", params: { type: "string" }, message: "must be string" };
            vErrors === null ? vErrors = [err409] : vErrors.push(err409), errors++;
          }
          if (!(data138 === "skip" || data138 === "allow" || data138 === "replace")) {
            let err410 = { instancePath: instancePath + "/schedule/overlap", schemaPath: "#/properties/schedule/properties/overlap/enum", keyword: "enum", params: { allowedValues: schema31.properties.schedule.properties.overlap.enum }, message: "must be equal to one of the allowed values" };
            vErrors === null ? vErrors = [err410] : vErrors.push(err410), errors++;
          }
        }
      } else {
        let err411 = { instancePath: instancePath + "/schedule", schemaPath: "#/properties/schedule/type", keyword: "type", params: { type: "object" }, message: "must be object" };
        vErrors === null ? vErrors = [err411] : vErrors.push(err411), errors++;
      }
    }
  } else {
    let err412 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" };
    vErrors === null ? vErrors = [err412] : vErrors.push(err412), errors++;
  }
  return validate20.errors = vErrors, errors === 0;
}
validate20.evaluated = { props: !0, dynamicProps: !1, dynamicItems: !1 };
var checkPackages = validate21;
var pattern35 = new RegExp("^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$", "u"), pattern36 = new RegExp("^[a-zA-Z0-9](?!.*[_.-]{2})([a-zA-Z0-9_.-]*[a-zA-Z0-9])?$", "u");
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
                if (!pattern35.test(data2)) {
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
                if (!pattern36.test(data3)) {
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
var serviceSchema = { type: "object", required: ["name", "service_type", "compute_type", "environment", "volumes", "ports", "dns", "dns-search", "labels", "affinity", "restart", "stop", "triggers", "webhooks"], properties: { name: { type: "string", pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$", expected: "a DNS label: a-z, 0-9 and -, at most 63 characters" }, description: { type: "string", minLength: 1, maxLength: 1e3, expected: "a text of at most 1000 characters" }, service_type: { enum: ["continuous", "scheduled", "event"], type: "string", expected: "one of continuous, scheduled, event" }, compute_type: { enum: ["docker", "process", "infrastructure", "kvm", "manta"], type: "string", expected: "one of docker, process, infrastructure (or lx, smartmachine), kvm (or vm, hvm), manta" }, image: { type: "string", minLength: 1, maxLength: 512, pattern: "^\\S+$", expected: "the name of an image, such as nginx:1.27" }, package: { type: "string", minLength: 1, maxLength: 128, pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]*$", expected: "the name, uuid or family of a package" }, memory: { type: "integer", minimum: 4, maximum: 67108864, expected: "a whole number of MiB, or a size such as 512M or 1.5GiB, at least 4" }, command: { type: "array", items: { type: "string" }, expected: "a list of words, or one line of text that is split into words" }, entrypoint: { type: "array", items: { type: "string" }, expected: "a list of words, or one line of text that is split into words" }, environment: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" }, user: { type: "string", minLength: 1, pattern: "^[^\\s]+$", expected: "a user name or id, with an optional :group for docker" }, working_dir: { type: "string", pattern: "^/", expected: "an absolute path" }, volumes: { type: "array", items: { type: "object", required: ["path", "readonly"], properties: { name: { type: "string", pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$", expected: "a name of letters, digits, _ and -, at most 63 characters" }, host: { type: "string", pattern: `^(?:/|(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?)$`, maxLength: 1e3, expected: "an absolute path, without a colon, blanks, quotes, \\, . and .." }, tmpfs: { type: "boolean", const: !0, expected: "true" }, path: { type: "string", pattern: `^(?:/(?!\\.{1,2}(?:/|$))[^/\\s:"'\\\\\\u0000-\\u001F\\u007F]+)+/?$`, maxLength: 1e3, expected: "an absolute path below /, without a colon, blanks, quotes, \\, . and .." }, readonly: { type: "boolean" }, scope: { enum: ["instance", "service"], type: "string", expected: "one of instance, service" }, size: { type: "integer", minimum: 1, maximum: 1048576, expected: "a size such as 64M, from 1M to 1T" } }, additionalProperties: !1, expected: 'a volume such as "data:/var/lib/data", "/etc/ssl:/etc/ssl:ro", or a map with path and one of name, host and tmpfs' }, maxItems: 100, expected: "a list of volumes, at most 100" }, ports: { type: "array", items: { type: "object", required: ["container", "protocol"], properties: { ip: { type: "string" }, host: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 0 }, container: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 }, protocol: { enum: ["tcp", "udp"], type: "string", expected: "one of tcp, udp" } }, additionalProperties: !1, expected: 'a port such as 8080, "80:8080", "127.0.0.1:80:8080", "53/udp" or "8000-8003"' }, maxItems: 1e3, expected: "a list of ports, at most 1000" }, dns: { type: "array", items: { type: "string", minLength: 2, expected: "an IPv4 or IPv6 address" }, maxItems: 10, expected: "a list of at most 10 addresses" }, "dns-search": { type: "array", items: { type: "string", pattern: "^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?(\\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?)*\\.?$", expected: "a domain such as example.com" }, maxItems: 32, expected: "a list of at most 32 domains" }, cns: { type: "object", properties: { services: { type: "array", items: { type: "string", minLength: 1, expected: "a name such as web:8080" }, maxItems: 100, expected: "a list of at most 100 names such as web:8080:priority=1:weight=20" }, ttl: { type: "integer", minimum: 0, maximum: 3600, expected: "whole seconds from 0 to 3600" }, disable: { type: "boolean", expected: "true or false" } }, additionalProperties: !1, expected: "a map with services, ttl and disable" }, labels: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" }, affinity: { type: "array", items: { type: "object", required: ["key", "operator", "value"], properties: { key: { type: "string", pattern: "^[A-Za-z_][A-Za-z0-9_.-]+$", expected: "container, instance, service, machine.<key> or the name of a tag, of two characters or more" }, operator: { enum: ["==", "!=", "==~", "!=~"], type: "string", expected: "one of ==, !=, ==~, !=~" }, value: { type: "string", maxLength: 256, pattern: "^[A-Za-z0-9:_\\s.*/()?+[\\]\\\\^$|-]+$", expected: "a text, a glob such as web-*, or a /regular expression/, without , = ~ @ and braces" }, by: { type: "string", pattern: "^[A-Za-z0-9_.-]{1,128}$", expected: "a key of machine metadata, such as rack" } }, additionalProperties: !1, expected: "a rule such as role!=database" }, maxItems: 100, expected: "a list of at most 100 rules such as role!=database" }, spread: { type: "string", pattern: "^[A-Za-z0-9_.-]{1,128}$", expected: "a key of machine metadata, such as rack" }, restart: { type: "object", required: ["policy"], properties: { policy: { enum: ["no", "on-failure", "always", "unless-stopped"], type: "string", expected: "one of no, on-failure, always, unless-stopped" }, max: { type: "integer", minimum: 1, maximum: 1e6, expected: "a whole number from 1" } }, additionalProperties: !1, expected: "no, on-failure, on-failure:3, always or unless-stopped" }, stop: { type: "object", required: ["timeout", "preservestopped"], properties: { timeout: { type: "integer", minimum: -1e9, maximum: 1e9, expected: 'whole seconds: a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M' }, preservestopped: { enum: ["on-failure", "no", "always"], type: "string", expected: "one of on-failure, no, always" } }, additionalProperties: !1, expected: "a map with timeout and preservestopped" }, healthchecks: { type: "array", items: { type: "object", required: ["type"], discriminator: { propertyName: "type" }, oneOf: [{ type: "object", required: ["type", "network", "port", "path", "poll", "timeout", "retries"], properties: { type: { enum: ["http", "https"], type: "string", expected: "one of http, https" }, network: { type: "string", minLength: 1, maxLength: 64, pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "the name or uuid of a network" }, port: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 }, path: { type: "string", pattern: "^/", expected: "a path that begins with /" }, poll: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, timeout: { type: "number", minimum: 0.01, maximum: 3600, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.01 to 3600 seconds' }, retries: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, start_period: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, start_interval: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, redirects: { type: "integer", minimum: 0, maximum: 10, expected: "a whole number from 0 to 10" }, host: { type: "string", pattern: "^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$", expected: "the name of a host" }, verify: { type: "boolean", expected: "true or false" } }, additionalProperties: !1 }, { type: "object", required: ["type", "network", "port", "poll", "timeout", "retries"], properties: { type: { enum: ["tcp"], type: "string", expected: "one of tcp" }, network: { type: "string", minLength: 1, maxLength: 64, pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "the name or uuid of a network" }, port: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 }, poll: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, timeout: { type: "number", minimum: 0.01, maximum: 3600, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.01 to 3600 seconds' }, retries: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, start_period: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, start_interval: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' } }, additionalProperties: !1 }, { type: "object", required: ["type", "command", "poll", "timeout", "retries"], properties: { type: { enum: ["command"], type: "string", expected: "one of command" }, command: { type: "array", items: { type: "string" }, minItems: 1, expected: "a list of words, or one line of text that is split into words" }, user: { type: "string", minLength: 1, expected: "a user name or id" }, poll: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' }, timeout: { type: "number", minimum: 0.01, maximum: 3600, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.01 to 3600 seconds' }, retries: { type: "integer", minimum: 1, maximum: 1e3, expected: "a whole number from 1 to 1000" }, start_period: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, start_interval: { type: "number", minimum: 0.1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0.1 to 86400 seconds' } }, additionalProperties: !1 }], expected: "a map with type http, https, tcp or command" }, maxItems: 20, expected: "a list of at most 20 checks" }, containerpilot: { type: "object", required: ["port"], properties: { network: { type: "string", minLength: 1, maxLength: 64, pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "the name or uuid of a network" }, port: { type: "integer", maximum: 65535, expected: "a port number from 1 to 65535", minimum: 1 } }, additionalProperties: !1, expected: "a map with network and port" }, autoscale: { type: "object", required: ["enable", "min", "retrigger_delay", "notify_email"], properties: { enable: { enum: ["notify", !0, !1], expected: "notify, true or false" }, min: { type: "integer", minimum: 0, maximum: 1e5, expected: "a whole number from 0 to 100000" }, max: { type: "integer", minimum: 1, maximum: 1e5, expected: "a whole number from 1 to 100000" }, retrigger_delay: { type: "number", minimum: 0, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 0 to 86400 seconds' }, notify_email: { type: "array", items: { type: "string", pattern: "^[^\\s@<>,;]+@[^\\s@<>,;]+$", maxLength: 254, expected: "an e-mail address" }, maxItems: 20, expected: "a list of at most 20 e-mail addresses" } }, additionalProperties: !1, expected: "a map with enable, min, max, retrigger_delay and notify_email" }, triggers: { type: "array", items: { type: "object", if: { anyOf: [{ required: ["url"] }, { required: ["secret"] }] }, then: { type: "object", required: ["name", "url", "action"], properties: { name: { type: "string", pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "a name of letters, digits, _, . and -, at most 64 characters" }, url: { const: !0, expected: "true" }, secret: { type: "string", minLength: 8, maxLength: 256, pattern: "^([\\x21-\\x7e]+|meta\\.[^]+)$", expected: "a secret of 8 to 256 letters, digits and signs without blanks", secret: !0 }, action: { enum: ["start", "stop", "scale"], type: "string", expected: "one of start, stop, scale" }, scale: { type: "integer", minimum: 0, maximum: 1e5, expected: "a whole number from 0 to 100000" }, instances: { type: "integer", minimum: -1e4, maximum: 1e4, expected: "a whole number from -10000 to 10000" } }, additionalProperties: !1, expected: "a trigger with secret (or url: true) and action" }, else: { type: "object", required: ["name", "source", "operator", "value", "percent", "time", "aggregate", "action", "instances"], properties: { name: { type: "string", pattern: "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$", expected: "a name of letters, digits, _, . and -, at most 64 characters" }, source: { type: "string", pattern: "^(service\\.[A-Za-z0-9_-]{1,63}\\.)?(containermonitor|containerpilot)(\\|(containermonitor|containerpilot))?\\.[A-Za-z_:][A-Za-z0-9_:]*$", expected: "containermonitor.<metric>, containerpilot.<metric>, or the same behind service.<name>." }, operator: { enum: ["<", "<=", ">", ">=", "==", "!="], type: "string", expected: "one of <, <=, >, >=, ==, !=" }, value: { type: "number", expected: "a number, or a percentage such as 80%" }, percent: { type: "boolean", expected: "true or false" }, time: { type: "number", minimum: 1, maximum: 86400, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 1 to 86400 seconds' }, aggregate: { enum: ["avg", "min", "max", "sum", "p90"], type: "string", expected: "one of avg, min, max, sum, p90" }, action: { enum: ["increment", "decrement"], type: "string", expected: "increment (or incr), or decrement (or decr)" }, instances: { type: "integer", minimum: 1, maximum: 1e4, expected: "a whole number from 1 to 10000" } }, additionalProperties: !1, expected: "a trigger with source, operator, value, time and action" }, expected: "a trigger" }, maxItems: 50, expected: "a list or a map of at most 50 triggers" }, webhooks: { type: "array", items: { type: "object", required: ["url", "events", "headers", "allow_private"], properties: { url: { type: "string", pattern: "^https?://[^\\s/?#]+\\S*$", maxLength: 2048, expected: "a URL that begins with https:// or http://" }, events: { type: "array", items: { enum: ["start", "stop", "health", "scale", "deploy"], type: "string", expected: "one of start, stop, health, scale, deploy" }, minItems: 1, uniqueItems: !0, expected: "a list of start, stop, health, scale, deploy, each once" }, secret: { type: "string", pattern: "^(whsec_[A-Za-z0-9+/]{32,86}={0,2}|meta\\.[^]+)$", secret: !0, expected: "whsec_ and the base64 of 24 to 64 bytes" }, headers: { type: "object", patternProperties: { "^[^\\s=]+$": { type: "string" } }, expected: "a map, or a list of key=value" }, allow_private: { type: "boolean", expected: "true or false" } }, additionalProperties: !1, expected: "a map with url" }, maxItems: 20, expected: "a list of at most 20 webhooks" }, schedule: { type: "object", required: ["kind", "expression", "overlap"], properties: { kind: { enum: ["interval", "cron"], type: "string", expected: "one of interval, cron" }, expression: { type: "string", minLength: 1, maxLength: 256, expected: 'an interval such as R/2026-01-01T00:00:00Z/PT1H, or a cron line such as "15 3 * * *"' }, epsilon: { type: "number", minimum: 1, maximum: 31536e3, expected: 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M, from 1 to 31536000 seconds' }, timezone: { type: "string", minLength: 1, expected: "a time zone such as Europe/Berlin" }, overlap: { enum: ["skip", "allow", "replace"], type: "string", expected: "one of skip, allow, replace" } }, additionalProperties: !1, expected: "an ISO 8601 repeating interval such as R/2026-01-01T00:00:00Z/PT1H, a cron line, or a map" } }, additionalProperties: !1, expected: "a map of manifest keys" }, packagesSchema = { type: "object", required: ["packages"], properties: { packages: { type: "array", items: { type: "object", required: ["name", "family", "ram", "disk", "cpu"], properties: { uuid: { type: "string", pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$", expected: "a uuid in lower case" }, name: { type: "string", pattern: "^[a-zA-Z0-9](?!.*[_.-]{2})([a-zA-Z0-9_.-]*[a-zA-Z0-9])?$", maxLength: 128, expected: "a name of letters, digits, _, . and -, no two signs in a row" }, family: { type: "string", pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]*$", expected: "a name of letters, digits, _, . and -" }, ram: { type: "integer", minimum: 1, maximum: 1073741824, expected: "a whole number of MiB, or a size such as 512M or 1.5GiB, at least 1" }, disk: { type: "integer", minimum: 1, maximum: 1073741824, expected: "a whole number of MiB, or a size such as 512M or 1.5GiB, at least 1" }, cpu: { type: "integer", minimum: 1, maximum: 1e6, expected: "hundredths of a core, such as 100 for one core" } }, additionalProperties: !1, expected: "a map with name, family, ram, disk and cpu" }, maxItems: 1e3, expected: "a list of at most 1000 packages" } }, additionalProperties: !1, expected: "a list of packages" };
export {
  checkPackages,
  checkService,
  packagesSchema,
  serviceSchema
};
