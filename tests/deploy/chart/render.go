// Renders a chart with the libraries of Helm's own templates (text/template and sprig), where Helm itself is not to be had.
// Called with the chart's directory, and with values as YAML on standard input that replace those of values.yaml. Prints
// the objects as one YAML stream.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

func main() {
	if err := render(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func render(chart string) error {
	values, err := readYaml(filepath.Join(chart, "values.yaml"))
	if err != nil {
		return err
	}
	given, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	changes := map[string]interface{}{}
	if err := yaml.Unmarshal(given, &changes); err != nil {
		return err
	}
	merge(values, changes)
	metadata, err := readYaml(filepath.Join(chart, "Chart.yaml"))
	if err != nil {
		return err
	}
	scope := map[string]interface{}{
		"Values":  values,
		"Chart":   map[string]interface{}{"Name": metadata["name"], "AppVersion": metadata["appVersion"]},
		"Release": map[string]interface{}{"Name": "demo", "Namespace": "default", "Service": "Helm"},
	}
	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	if err != nil {
		return err
	}
	root := template.New("chart").Option("missingkey=zero")
	root.Funcs(sprig.TxtFuncMap()).Funcs(template.FuncMap{
		"include": func(name string, data interface{}) (string, error) {
			var out bytes.Buffer
			err := root.ExecuteTemplate(&out, name, data)
			return out.String(), err
		},
		"toYaml": func(value interface{}) (string, error) {
			out, err := yaml.Marshal(value)
			return strings.TrimSuffix(string(out), "\n"), err
		},
	})
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if _, err := root.New(filepath.Base(file)).Parse(string(text)); err != nil {
			return err
		}
	}
	for _, file := range files {
		if filepath.Ext(file) != ".yaml" {
			continue
		}
		fmt.Println("---")
		if err := root.ExecuteTemplate(os.Stdout, filepath.Base(file), scope); err != nil {
			return err
		}
	}
	return nil
}

func readYaml(file string) (map[string]interface{}, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	value := map[string]interface{}{}
	return value, yaml.Unmarshal(text, &value)
}

// Replaces members of maps, at any depth, as Helm does.
func merge(values, changes map[string]interface{}) {
	for name, change := range changes {
		inner, isMap := change.(map[string]interface{})
		existing, wasMap := values[name].(map[string]interface{})
		if isMap && wasMap {
			merge(existing, inner)
		} else {
			values[name] = change
		}
	}
}
